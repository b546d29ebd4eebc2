import type { MailInput, MailName } from '../../contract/mails.ts';

const ORIGIN = 'https://padlink.example';
const SITE = {
  origin: ORIGIN,
  siteName: 'Padlink',
  accent: null,
  supportEmail: 'help@padlink.example',
  operator: { name: 'Lantern Books Ltd', address: '1 Quay Street\nHarbourtown' },
  isSolo: false,
};
const OWNER = { ...SITE, language: 'en' as const, firstName: 'Ada <3' };
const CODE = { ...OWNER, code: '123456' };
const PURCHASE = {
  ...SITE,
  language: 'en' as const,
  title: 'Fish & "Chips"',
  linkId: '0a1b2c3d',
  purchaseId: '0199f0d2-7c55-4c1e-9a30-6f1f0c1c6d1e',
  sellerName: 'Ada & Co',
};
const FACE = { type: 'file', mediaType: 'application/pdf' };
const PAYMENT = { ...PURCHASE, face: FACE, amountCents: 1000 };
const SALE = { ...OWNER, ...PAYMENT };
const NEWS = { ...OWNER, stopUrl: `${ORIGIN}/notifications/token` };

const OF_BUYER = {
  personalUrl: `${ORIGIN}/access/token`,
  updatesUrl: `${ORIGIN}/updates/token`,
};

const BEFORE = { paidAt: 0, returnUrl: `${ORIGIN}/returns/token` };

const LICENSES = [
  { linkId: '0a1b2c3d', title: 'Fish & "Chips"', key: '7K3QZ-0M8WT-4VXGH-P2R6N-9DCJA' },
  { linkId: '1a2b3c4d', title: null, key: null },
];

/** What each kind of mail may be filled in with. */
export const MAIL_INPUTS: { [Name in MailName]: MailInput<Name> } = {
  accessCode: { ...CODE, ...PURCHASE },
  accountDeleted: OWNER,
  accountExists: OWNER,
  cartReceipt: {
    ...SITE,
    language: 'en',
    lines: ['a', 'b', 'c'].map((purchaseId) => ({
      ...PAYMENT,
      ...OF_BUYER,
      purchaseId,
      taxCents: 80,
      boughtBefore: purchaseId === 'b' ? BEFORE : null,
      licenses: purchaseId === 'b' ? LICENSES : [],
    })),
    paidAt: 0,
    operator: { name: null, address: null },
  },
  contentTakenDown: { ...PURCHASE, isRefunded: true, part: null },
  doublePayment: SALE,
  emailChange: CODE,
  emailChanged: { ...OWNER, newEmail: 'ada@new.example', holdsPayouts: true },
  gift: {
    ...PURCHASE,
    ...OF_BUYER,
    message: 'Happy <birthday>!\nFrom Ann & Bob',
    isFromSeller: false,
  },
  giftReceipt: {
    ...PAYMENT,
    paidAt: 0,
    taxCents: 200,
    giftEmail: 'ann@example.com',
    giftMessage: 'Happy <birthday>!',
    giftUrl: `${ORIGIN}/gifts/token`,
  },
  hookEnded: { ...OWNER, url: 'https://shop.example/hooks?a=1&b=2' },
  invitation: {
    ...SITE,
    language: 'en',
    role: 'operator',
    invitationUrl: `${ORIGIN}/invitations/token`,
    expiresAt: 0,
  },
  standing: { ...OWNER, suspendedBecause: 'You sold what is not yours.' },
  versionNotice: { ...PURCHASE, ...OF_BUYER, version: 2 },
  passkeyAdded: OWNER,
  passwordChanged: {
    ...OWNER,
    byCode: true,
    holdsPayouts: false,
    remaining: { passkeys: 1, secretKeys: 2, providers: ['GitHub'] },
  },
  passwordReset: CODE,
  mailProof: CODE,
  fileRefused: {
    ...OWNER,
    fileName: 'setup.zip',
    because: 'it contains malware (Eicar-Test-Signature)',
  },
  paymentDisputed: { ...SALE, paidAt: 0 },
  paymentFailed: PAYMENT,
  paymentReturned: { ...PAYMENT, because: 'double' },
  payoutNotice: {
    ...OWNER,
    notice: 'reversed',
    amountCents: 9230,
    arrivesCents: 9205,
    bankAccount: 'STRIPE TEST BANK ••6789',
    note: 'No bank account could be located with those details.',
  },
  payoutWaits: {
    ...SITE,
    language: 'en',
    payoutId: '00000000-0000-4000-8000-000000000000',
    creatorEmail: 'ada@example.com',
    amountCents: 9230,
  },
  payoutsHeld: { ...OWNER, bankAccount: 'STRIPE TEST BANK ••6789', heldUntil: 0 },
  purchases: {
    ...PURCHASE,
    count: 2,
    purchasesUrl: `${ORIGIN}/purchases/open/token`,
    gifts: [
      {
        linkId: '0a1b2c3d',
        title: 'Fish & "Chips"',
        giftEmail: 'ann@example.com',
        giftUrl: `${ORIGIN}/gifts/token`,
      },
    ],
  },
  refundFailed: { ...PAYMENT, isGift: false, hasAccess: true },
  refundRefused: { ...PAYMENT, isGift: false, hasAccess: true, why: 'other' },
  refund: { ...PAYMENT, isWhole: true, isGift: false, keepsEarlier: true },
  reminder: { ...PURCHASE, ...OF_BUYER },
  receipt: {
    ...PAYMENT,
    ...OF_BUYER,
    paidAt: 0,
    taxCents: 200,
    boughtBefore: BEFORE,
    licenses: LICENSES,
  },
  reportsWait: { ...SITE, language: 'en', reports: 2, objections: 1 },
  sale: { ...SALE, ...NEWS, grossCents: 1000, feeCents: 77, code: 'SPRING' },
  sales: {
    ...NEWS,
    isDay: false,
    sales: 412,
    grossCents: 123400,
    feeCents: 31724,
    furtherLinks: 2,
    links: [
      { linkId: '0a1b2c3d', title: 'Fish & "Chips"', sales: 400, grossCents: 120000 },
      { linkId: '0a1b2c3e', title: null, sales: 10, grossCents: 3000 },
    ],
    codes: [{ code: 'SPRING', sales: 3 }],
  },
  week: {
    ...NEWS,
    from: 0,
    sales: 12,
    netCents: 5340,
    before: { sales: 8, netCents: 3560 },
    refunds: 1,
    returnedCents: 445,
    availableCents: 20140,
    links: [
      { linkId: '0a1b2c3d', title: 'Fish & "Chips"', sales: 10, netCents: 4450 },
      { linkId: '0a1b2c3e', title: null, sales: 1, netCents: 445 },
    ],
  },
  saleRefundFailed: { ...SALE, hasAccess: true },
  saleRefundRefused: { ...SALE, byOperator: true, why: 'other' },
  saleRefunded: {
    ...SALE,
    isWhole: false,
    keepsEarlier: false,
    reason: 'Sent the <wrong> file',
  },
  secretKeyCreated: { ...OWNER, key: { name: 'Till & shop', scopes: ['sell', 'refund'] } },
  takeDown: {
    ...SALE,
    notice: 'taken-down',
    reason: 'fraud',
    words: 'It is <not> what it says.',
  },
  twoFactorOff: OWNER,
  verification: CODE,
};
