import type { SecretKeyDetails } from './account-details.ts';
import type { Language } from './languages.ts';
import type { ModerationReason } from './moderation.ts';

/** An email as it is handed over for delivery. */
export interface Mail {
  subject: string;
  html: string;
  text: string;
  /** For the headers by which mail programs end such emails with one press. */
  unsubscribeUrl?: string;
}

/** Every email that a person receives: filled in by the server, worded by the web app. */
export interface Mails {
  accountExists(input: NoticeInput): Mail;
  passwordChanged(
    input: NoticeInput & Holding & { byCode: boolean; remaining: RemainingKeys },
  ): Mail;
  emailChanged(input: NoticeInput & Holding & { newEmail: string }): Mail;
  accountDeleted(input: NoticeInput): Mail;
  twoFactorOff(input: NoticeInput): Mail;
  passkeyAdded(input: NoticeInput): Mail;
  secretKeyCreated(input: NoticeInput & { key: Pick<SecretKeyDetails, 'name' | 'scopes'> }): Mail;
  invitation(input: InvitationInput): Mail;
  standing(input: StandingInput): Mail;
  verification(input: CodeInput): Mail;
  passwordReset(input: CodeInput & { firstName: string | null }): Mail;
  emailChange(input: CodeInput): Mail;
  receipt(input: ReceiptInput): Mail;
  cartReceipt(input: CartReceiptInput): Mail;
  gift(input: GiftInput): Mail;
  giftReceipt(input: GiftReceiptInput): Mail;
  reminder(input: ReminderInput): Mail;
  purchases(input: PurchasesInput): Mail;
  accessCode(input: AccessCodeInput): Mail;
  paymentFailed(input: PaymentFailedInput): Mail;
  paymentDisputed(input: PaymentDisputedInput): Mail;
  paymentReturned(input: PaymentReturnedInput): Mail;
  refundMade(input: RefundMadeInput): Mail;
  refundFailed(input: RefundFailedInput): Mail;
  saleRefunded(input: SaleRefundedInput): Mail;
  saleRefundFailed(input: SaleRefundFailedInput): Mail;
  doublePayment(input: DoublePaymentInput): Mail;
  fileRefused(input: FileRefusedInput): Mail;
  takeDown(input: TakeDownInput): Mail;
  contentTakenDown(input: ContentTakenDownInput): Mail;
  reportsWait(input: ReportsWaitInput): Mail;
  newVersion(input: NewVersionInput): Mail;
  payoutNotice(input: PayoutNoticeInput): Mail;
  payoutWaits(input: PayoutWaitsInput): Mail;
  payoutsHeld(input: PayoutsHeldInput): Mail;
  hookEnded(input: HookEndedInput): Mail;
  saleMade(input: SaleMadeInput): Mail;
  salesMade(input: SalesMadeInput): Mail;
  weekOver(input: WeekOverInput): Mail;
}

/** What a seller's browser shows of a sale, or of an hour's. */
export interface PushText {
  title: string;
  body: string;
}

/** What sellers' browsers show, worded by the web app as well. */
export interface PushTexts {
  saleMade(
    input: Pick<SaleMadeInput, 'language' | 'title' | 'linkId'> & { netCents: number },
  ): PushText;
  salesMade(input: Pick<SalesMadeInput, 'language' | 'sales'> & { netCents: number }): PushText;
}

/** What an email with a six-digit code says. */
export interface CodeInput {
  language: Language;
  code: string;
  origin: string;
}

/** The code for one more browser that is to hold a purchase. */
export interface AccessCodeInput extends CodeInput {
  title: string | null;
  linkId: string;
}

/** What someone is told whom an operator invites. */
export interface InvitationInput {
  language: Language;
  role: 'seller' | 'operator';
  invitationUrl: string;
  /** UTC milliseconds. */
  expiresAt: number;
  origin: string;
  supportEmail: string | null;
}

/** What an email about an event in an account says. */
export interface NoticeInput {
  /** Of the account. */
  language: Language;
  firstName: string;
  origin: string;
  supportEmail: string | null;
}

/** What the owner of a webhook is told that was turned off. */
export interface HookEndedInput extends NoticeInput {
  url: string;
}

/** What the owner of an account is told when the operator suspends or restores it. */
export interface StandingInput extends NoticeInput {
  /** The reason, a sentence; null where it is restored. */
  suspendedBecause: string | null;
}

/** Whether the account is one that payouts go to, which are held after such a change. */
export interface Holding {
  holdsPayouts: boolean;
}

/** What still gives access to an account after its password was changed. */
export interface RemainingKeys {
  passkeys: number;
  secretKeys: number;
  /** The sign-in services its owner uses: "GitHub". */
  providers: string[];
}

/** The purchase that an email is about, as buyer, seller and operator can all name it. */
interface OfPurchase {
  language: Language;
  /** The order number. */
  purchaseId: string;
  /** In the words of the checkout. */
  sellerName: string | null;
}

/** What a buyer is told about a payment that did not arrive. */
export interface PaymentFailedInput extends OfPurchase {
  title: string | null;
  linkId: string;
  amountCents: number;
  origin: string;
  supportEmail: string | null;
}

interface SaleNoticeInput extends NoticeInput {
  /** Whether only the operator sells: then there is no balance. */
  isSolo: boolean;
}

/** What a seller is told about a sale. */
export interface SaleMadeInput extends SaleNoticeInput {
  title: string | null;
  linkId: string;
  grossCents: number;
  feeCents: number;
  /** The discount code that was used. */
  code: string | null;
  /** Ends these emails. */
  stopUrl: string;
}

/** What a seller is told about several sales together. */
export interface SalesMadeInput extends Omit<SaleMadeInput, 'title' | 'linkId' | 'code'> {
  /** Whether they are those of a day; otherwise there were too many for an email each. */
  isDay: boolean;
  sales: number;
  /** Those that brought the most first; further ones are only counted. */
  links: { linkId: string; title: string | null; sales: number; grossCents: number }[];
  furtherLinks: number;
  codes: { code: string; sales: number }[];
}

interface Sold {
  sales: number;
  netCents: number;
}

/** What a seller is told about a week, from Monday to Sunday in UTC. */
export interface WeekOverInput
  extends Pick<
      SaleMadeInput,
      'language' | 'firstName' | 'origin' | 'supportEmail' | 'isSolo' | 'stopUrl'
    >,
    Sold {
  /** When it began, UTC milliseconds. */
  from: number;
  before: Sold;
  /** Those that brought the most first; further ones are left out. */
  links: (Sold & { linkId: string; title: string | null })[];
  /** Refunds made in this week, whenever the sale was made. */
  refunds: number;
  /** Taken back in this week by refunds and disputes, less what was restored. */
  returnedCents: number;
  /** Null where there is no balance. */
  availableCents: number | null;
}

/** What a seller is told about a payment that is contested at the buyer's bank. */
export interface PaymentDisputedInput extends SaleNoticeInput, Pick<OfPurchase, 'purchaseId'> {
  title: string | null;
  linkId: string;
  amountCents: number;
  /** UTC milliseconds. */
  paidAt: number;
}

/** What a buyer is told about a payment for which nothing is owed: it is refunded unasked. */
export interface PaymentReturnedInput extends OfPurchase {
  because: 'double' | 'seller-gone' | 'taken-down';
  title: string | null;
  linkId: string;
  amountCents: number;
  origin: string;
  supportEmail: string | null;
}

/** What a buyer is told about a refund, whoever of seller, operator and buyer decided it. */
export interface RefundMadeInput extends OfPurchase {
  title: string | null;
  linkId: string;
  /** Of the refund. */
  amountCents: number;
  /** Whether nothing is left of the payment, and the access ends. */
  isWhole: boolean;
  /** Whether it was given to someone else. */
  isGift: boolean;
  /** Whether the buyer keeps the same by an earlier purchase. */
  keepsEarlier: boolean;
  origin: string;
  supportEmail: string | null;
}

/** What a buyer is told whose refund the bank sent back. */
export interface RefundFailedInput
  extends Omit<RefundMadeInput, 'isWhole' | 'keepsEarlier'>,
    RefundFailure {}

interface RefundFailure {
  /** Whether what was bought can be opened now. */
  hasAccess: boolean;
}

/** What a seller is told about it. */
export interface SaleRefundFailedInput
  extends SaleNoticeInput,
    Omit<RefundFailedInput, keyof NoticeInput | 'sellerName' | 'isGift'> {}

/** What a seller is told about a refund that the operator or the buyer decided. */
export interface SaleRefundedInput
  extends SaleNoticeInput,
    Omit<RefundMadeInput, keyof NoticeInput | 'sellerName' | 'isGift'> {
  reason: string;
}

/** What a seller is told about a buyer who paid twice. */
export interface DoublePaymentInput extends SaleNoticeInput, Pick<OfPurchase, 'purchaseId'> {
  title: string | null;
  linkId: string;
  /** Of the second payment. */
  amountCents: number;
}

/** What a creator is told about a file that is not sold. */
export interface FileRefusedInput extends NoticeInput {
  fileName: string;
  /** Worded to follow "because". */
  because: string;
}

/** What a creator is told about a payout. */
export interface PayoutNoticeInput extends NoticeInput {
  notice: 'sent' | 'paid' | 'failed' | 'reversed';
  /** What their balance was less, and what of it arrives. */
  amountCents: number;
  arrivesCents: number;
  /** "STRIPE TEST BANK ••6789". */
  bankAccount: string | null;
  /** A sentence that says why; null where nothing is to say. */
  note: string | null;
}

/** What a seller is told about a link that the operator took down. */
export interface TakeDownInput extends NoticeInput {
  notice: 'taken-down' | 'answered' | 'undone';
  title: string | null;
  linkId: string;
  reason: ModerationReason;
  /** The operator's: why, or the answer to the objection. */
  words: string;
}

/** What a buyer is told whose content the operator took down. */
export interface ContentTakenDownInput extends OfPurchase {
  title: string | null;
  linkId: string;
  isRefunded: boolean;
  /** What was taken down of a bundle; null where all that was bought is. */
  part: { id: string; title: string | null } | null;
  origin: string;
  supportEmail: string | null;
}

/** What operators are told about reports and objections. */
export interface ReportsWaitInput {
  language: Language;
  reports: number;
  objections: number;
  origin: string;
}

/** What the operator is told about a first payout. */
export interface PayoutWaitsInput {
  language: Language;
  payoutId: string;
  creatorEmail: string;
  amountCents: number;
  origin: string;
}

/** What a creator is told whose payouts go to another bank account now. */
export interface PayoutsHeldInput extends NoticeInput {
  /** Null where there is none any more. */
  bankAccount: string | null;
  /** UTC milliseconds. */
  heldUntil: number;
}

/** What a buyer is told who has not fetched what was paid for. */
export interface ReminderInput extends OfPurchase {
  title: string | null;
  linkId: string;
  personalUrl: string;
  origin: string;
  supportEmail: string | null;
}

/** What the receipt contains. */
export interface ReceiptInput extends OfPurchase {
  /** What was bought, in the words of the checkout. */
  title: string | null;
  linkId: string;
  /** The price, before the tax. */
  amountCents: number;
  taxCents: number;
  /** UTC milliseconds. */
  paidAt: number;
  /** Who runs the site and was paid; the address may have several lines. */
  operator: { name: string | null; address: string | null };
  /** Opens the purchase in any browser. */
  personalUrl: string;
  boughtBefore: BoughtBefore | null;
  /** Where the buyer chooses to be mailed about new versions. */
  updatesUrl: string;
  origin: string;
  supportEmail: string | null;
}

/** That the address that paid had the same already. */
interface BoughtBefore {
  /** Since when, UTC milliseconds. */
  paidAt: number;
  /** Where this purchase can be given back, within a day. */
  returnUrl: string;
}

/** What the receipt of a gift contains, which opens nothing. */
export interface GiftReceiptInput
  extends Omit<ReceiptInput, 'personalUrl' | 'boughtBefore' | 'updatesUrl'> {
  /** Whom it was sent to, and the buyer's words. */
  giftEmail: string;
  giftMessage: string | null;
  /** Where the buyer has it sent again, or corrects the address. */
  giftUrl: string;
}

/** What the recipient of a gift is told. */
export interface GiftInput extends OfPurchase {
  title: string | null;
  linkId: string;
  /** The buyer's words: text, in which nothing is a link. */
  message: string | null;
  /** Opens the gift in any browser. */
  personalUrl: string;
  origin: string;
  supportEmail: string | null;
}

/** What the receipt of a cart contains: each line with the personal link to it. */
export type CartReceiptInput = Pick<
  ReceiptInput,
  'language' | 'paidAt' | 'operator' | 'origin' | 'supportEmail'
> & {
  lines: Pick<
    ReceiptInput,
    | 'title'
    | 'sellerName'
    | 'linkId'
    | 'purchaseId'
    | 'amountCents'
    | 'taxCents'
    | 'personalUrl'
    | 'boughtBefore'
  >[];
};

/** What a buyer who wanted to know is told about a new version. */
export interface NewVersionInput {
  language: Language;
  title: string | null;
  sellerName: string | null;
  linkId: string;
  version: number;
  personalUrl: string;
  /** Ends these emails. */
  updatesUrl: string;
  origin: string;
}

/** What whoever looks for their purchases is sent. */
export interface PurchasesInput {
  language: Language;
  /** Paid with this address. */
  count: number;
  /** Opens all of them in any browser, for an hour. */
  purchasesUrl: string;
  origin: string;
  supportEmail: string | null;
}
