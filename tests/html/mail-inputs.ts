import type { Mails } from '../../contract/mails.ts';

const ORIGIN = 'https://padlink.example';
const NOTICE = {
  ...{ language: 'en' as const, firstName: 'Ada <3' },
  ...{ origin: ORIGIN, supportEmail: 'help@padlink.example' },
};
const CODE = { language: 'en' as const, code: '123456', firstName: 'Ada <3', origin: ORIGIN };
const PAYMENT = {
  language: 'en' as const,
  title: 'Fish & "Chips"',
  linkId: '0a1b2c3d',
  purchaseId: '0199f0d2-7c55-4c1e-9a30-6f1f0c1c6d1e',
  sellerName: 'Ada & Co',
  amountCents: 1000,
  origin: ORIGIN,
  supportEmail: NOTICE.supportEmail,
};

const OF_BUYER = {
  personalUrl: `${ORIGIN}/access/token`,
  updatesUrl: `${ORIGIN}/updates/token`,
};

const BEFORE = { paidAt: 0, returnUrl: `${ORIGIN}/returns/token` };

/** What each kind of mail may be filled in with. */
export const MAIL_INPUTS: { [Kind in keyof Mails]: Parameters<Mails[Kind]>[0] } = {
  accessCode: { ...CODE, ...PAYMENT },
  accountDeleted: NOTICE,
  accountExists: NOTICE,
  cartReceipt: {
    language: 'en',
    lines: ['a', 'b', 'c'].map((purchaseId) => ({
      ...{ ...PAYMENT, ...OF_BUYER, purchaseId, taxCents: 80 },
      boughtBefore: purchaseId === 'b' ? BEFORE : null,
    })),
    paidAt: 0,
    operator: { name: null, address: null },
    origin: ORIGIN,
    supportEmail: NOTICE.supportEmail,
  },
  contentTakenDown: { ...PAYMENT, isRefunded: true, part: null },
  doublePayment: { ...NOTICE, ...PAYMENT, isSolo: false },
  emailChange: CODE,
  emailChanged: { ...NOTICE, newEmail: 'ada@new.example', holdsPayouts: true },
  gift: { ...PAYMENT, ...OF_BUYER, message: 'Happy <birthday>!\nFrom Ann & Bob' },
  giftReceipt: {
    ...{ ...PAYMENT, paidAt: 0, taxCents: 200, giftEmail: 'ann@example.com' },
    ...{ giftMessage: 'Happy <birthday>!', giftUrl: `${ORIGIN}/gifts/token` },
    operator: { name: 'Lantern Books Ltd', address: '1 Quay Street\nHarbourtown' },
  },
  hookEnded: { ...NOTICE, url: 'https://shop.example/hooks?a=1&b=2' },
  invitation: {
    language: 'en',
    role: 'operator',
    invitationUrl: `${ORIGIN}/invitations/token`,
    expiresAt: 0,
    origin: ORIGIN,
    supportEmail: NOTICE.supportEmail,
  },
  standing: { ...NOTICE, suspendedBecause: 'You sold what is not yours.' },
  newVersion: { ...PAYMENT, ...OF_BUYER, version: 2 },
  passkeyAdded: NOTICE,
  passwordChanged: {
    ...NOTICE,
    byCode: true,
    holdsPayouts: false,
    remaining: { passkeys: 1, secretKeys: 2, providers: ['GitHub'] },
  },
  passwordReset: CODE,
  fileRefused: {
    ...NOTICE,
    fileName: 'setup.zip',
    because: 'it contains malware (Eicar-Test-Signature)',
  },
  paymentDisputed: { ...NOTICE, ...PAYMENT, paidAt: 0, isSolo: false },
  paymentFailed: PAYMENT,
  paymentReturned: { ...PAYMENT, because: 'double' },
  payoutNotice: {
    ...NOTICE,
    notice: 'reversed',
    amountCents: 9230,
    arrivesCents: 9205,
    bankAccount: 'STRIPE TEST BANK ••6789',
    note: 'No bank account could be located with those details.',
  },
  payoutWaits: {
    language: 'en',
    payoutId: '00000000-0000-4000-8000-000000000000',
    creatorEmail: 'ada@example.com',
    amountCents: 9230,
    origin: ORIGIN,
  },
  payoutsHeld: { ...NOTICE, bankAccount: 'STRIPE TEST BANK ••6789', heldUntil: 0 },
  purchases: { ...PAYMENT, count: 2, purchasesUrl: `${ORIGIN}/purchases/open/token` },
  refundFailed: { ...PAYMENT, isGift: false, hasAccess: true },
  refundMade: { ...PAYMENT, isWhole: true, isGift: false, keepsEarlier: true },
  reminder: { ...PAYMENT, ...OF_BUYER },
  receipt: {
    ...{ ...PAYMENT, ...OF_BUYER, paidAt: 0, taxCents: 200, boughtBefore: BEFORE },
    operator: { name: 'Lantern Books Ltd', address: '1 Quay Street\nHarbourtown' },
  },
  reportsWait: { language: 'en', reports: 2, objections: 1, origin: ORIGIN },
  saleMade: {
    ...{ ...NOTICE, ...PAYMENT, isSolo: false, stopUrl: `${ORIGIN}/notifications/token` },
    ...{ grossCents: 1000, feeCents: 77, code: 'SPRING' },
  },
  salesMade: {
    ...{ ...NOTICE, isSolo: false, stopUrl: `${ORIGIN}/notifications/token` },
    ...{ isDay: false, sales: 412, grossCents: 123400, feeCents: 31724, furtherLinks: 2 },
    links: [
      { linkId: '0a1b2c3d', title: 'Fish & "Chips"', sales: 400, grossCents: 120000 },
      { linkId: '0a1b2c3e', title: null, sales: 10, grossCents: 3000 },
    ],
    codes: [{ code: 'SPRING', sales: 3 }],
  },
  weekOver: {
    ...{ ...NOTICE, isSolo: false, stopUrl: `${ORIGIN}/notifications/token`, from: 0 },
    ...{ sales: 12, netCents: 5340, before: { sales: 8, netCents: 3560 } },
    ...{ refunds: 1, returnedCents: 445, availableCents: 20140 },
    links: [
      { linkId: '0a1b2c3d', title: 'Fish & "Chips"', sales: 10, netCents: 4450 },
      { linkId: '0a1b2c3e', title: null, sales: 1, netCents: 445 },
    ],
  },
  saleRefundFailed: { ...NOTICE, ...PAYMENT, isSolo: false, hasAccess: true },
  saleRefunded: {
    ...{ ...NOTICE, ...PAYMENT, isWhole: false, isSolo: false, keepsEarlier: false },
    reason: 'Sent the <wrong> file',
  },
  secretKeyCreated: { ...NOTICE, key: { name: 'Till & shop', scopes: ['sell', 'refund'] } },
  takeDown: {
    ...{ ...NOTICE, ...PAYMENT },
    notice: 'taken-down',
    reason: 'fraud',
    words: 'It is <not> what it says.',
  },
  twoFactorOff: NOTICE,
  verification: CODE,
};
