// Printed by `npm run schema`: change what it is made of instead.

/** Of one field; `types`, which is never there, says what that is and what is given. */
export interface Operation<Result, Variables> {
  text: string;
  isQuery: boolean;
  types?: [Result, Variables];
}
export interface LinkFile {
  key: string;
  /** With the folders that it lies in: track1/mix.txt. */
  name: string;
  mediaType: string;
  /** Bytes. */
  size: number;
  /** Of the bytes, in hexadecimal; null until it is known, and of a PDF that its buyer gets stamped. */
  sha256: string | null;
}
export interface Link {
  id: string;
  /** 'file', 'link' or 'bundle'. */
  type: string;
  title: string | null;
  /** Plain text; line breaks are kept. */
  description: string | null;
  /** Cents; what is suggested, where buyers name the price. */
  price: number;
  /** Cents: the minimum price that a buyer may name; null where it is fixed. */
  least: number | null;
  /** True when the creator made the link free: `unlocked: true` in its input. */
  free: boolean;
  /** True when the creator keeps the link out of every list and search engine: only people who have its address can find it. */
  unlisted: boolean;
  /** True when the creator asked search engines not to index the page. */
  noindex: boolean;
  paused: boolean;
  /** True while a file on sale is still being checked: it can be neither bought nor downloaded yet. */
  pending: boolean;
  /** Why what is on sale can be neither bought nor downloaded yet, or ever: a sentence. Null where it can. */
  hold: string | null;
  /** Why the files on sale are neither sold nor delivered, in a sentence. Null when they are intact, and unless the viewer is the owner. */
  fault: string | null;
  /** How many are sold at all. Null for any number, and unless the viewer is the owner. */
  copies: number | null;
  /** Copies that can still be bought; null for any number. */
  left: number | null;
  /** When its sale ends; null where it does not. */
  until: string | null;
  /** What the creator lets everybody see or hear of the first file: one of none, first-page, blurred, excerpt. */
  preview: string;
  /** Storage key of the first file. Null unless this viewer may have the content. */
  key: string | null;
  /** Null unless this viewer may have the content. Of a bundle its own page, which leads to its parts. */
  url: string | null;
  /** What this viewer gets: buyers, the files they bought; others, the files now on sale. Null unless this viewer may have the content. */
  files: Array<LinkFile> | null;
  cover: {
    /** A path on this site; it changes with the picture. */
    url: string;
    /** Pixels. */
    width: number;
    /** Pixels. */
    height: number;
  } | null;
  /** The name the owner sells under; null when there is none. */
  seller: string | null;
  /** Its short address, such as /s/ada/notes; null when it has none. */
  short: string | null;
  owner: string;
  /** The number of the version that is on sale: other content is a new version, from 1 on. */
  version: number;
  /** Null unless the viewer is the owner. */
  statistics: {
    /** Visits to the paywall page, not counting its owner's; each visitor counts once in half an hour. */
    views: number;
    checkouts: number;
    sales: number;
    /** Refunds made, including partial ones. */
    refunds: number;
  } | null;
  createdAt: string;
  updatedAt: string;
  deletedAt: string | null;
}
/** One settled purchase, as its seller sees it. */
export interface Sale {
  id: string;
  linkId: string;
  /** As it was when the checkout began. */
  title: string | null;
  /** Of the first file that was sold. */
  key: string | null;
  /** The web address that was sold. */
  url: string | null;
  /** Cents that were paid. */
  gross: number;
  /** Cents, the creator's part. */
  net: number;
  /** Cents that the buyer paid, tax included. */
  paid: number;
  paidAt: string;
  /** Whether it was given to someone else. */
  gift: boolean;
  /** 'active', 'suspended' (disputed) or 'ended' (the payment was returned). */
  state: string;
  /** Cents that `refundSale` can still give back. */
  refundable: number;
  /** Oldest first. */
  refunds: Array<{
    id: string;
    /** Cents. */
    amount: number;
    /** 'pending', 'succeeded' or 'failed'. */
    state: string;
    /** As it was given here. */
    reason: string | null;
    /** 'creator', 'operator' or 'buyer', who had bought it before; null for one that was made at the payment provider. */
    by: string | null;
    createdAt: string;
  }>;
  /** The latest one. */
  dispute: {
    /** Cents. */
    amount: number;
    /** 'inquiry' (the bank only asks), 'open', 'lost' or 'over'. */
    state: string;
    /** Until when the bank takes evidence; null once it takes none. */
    respondBy: string | null;
    /** Of its delivery: 'none', 'attached' (not sent to the bank yet) or 'sent'. */
    evidence: string;
  } | null;
  /** Null for a web address. */
  delivery: {
    /** 'delivered' (every byte was sent), 'partly', 'handed_over' (to nginx or the storage, which do not tell what they sent) or 'unopened'. */
    state: string;
    /** Of the bytes. */
    percent: number;
  } | null;
  /** Whether the buyer's mail server refused the receipt; of a gift, whether the recipient's refused it. */
  refused: boolean;
}
/** What a refund would cost whom, in cents. */
export interface RefundQuote {
  /** What the buyer gets back. */
  amount: number;
  /** What is taken from the balance of the creator for it. */
  creator: number;
  /** What the platform returns of its fee. */
  fee: number;
  /** What is returned of the tax. */
  tax: number;
  /** What the payment provider does not return; null while it is not known. */
  processing: number | null;
  /** Who bears that: 'platform' or 'creator'. */
  processingBy: string;
  /** Of the creator, afterwards. */
  balance: number;
  /** Whether nothing is left then, and the buyer's access ends. */
  whole: boolean;
}
/** A creator's balance, with the reason for every cent that is not available. */
export interface Money {
  /** Cents owed to the creator; negative when the creator owes. */
  balance: number;
  /** Cents that may be paid out. */
  available: number;
  /** Cents: the releases, and what is reserved. */
  pending: number;
  /** Cents reserved for refunds under way, inquiries and undecided disputes. */
  reserved: number;
  /** Cents that payouts under way will bring: neither paid nor in the balance again. */
  inTransit: number;
  /** By day, the earliest first. */
  releases: Array<{
    /** When all of it is available. */
    availableOn: string;
    /** Cents. */
    amount: number;
    /** How many sales it comes from. */
    sales: number;
  }>;
  /** Until when payouts wait after a change of email address, password or payout account. */
  heldUntil: string | null;
  /** Why no payout can be asked for now, in a sentence; null when one can. */
  obstacle: string | null;
}
export interface Payout {
  id: string;
  /** Cents: what the balance is less. */
  amount: number;
  /** Cents: what of it the payout costs. */
  cost: number;
  /** Cents: the amount less the cost. */
  arrives: number;
  /** 'requested', 'sent' (to the bank), 'paid', 'failed' (at the bank, and tried again) or 'reversed' (back in the balance). */
  state: string;
  /** What it waits for, or why it failed, in a sentence. */
  note: string | null;
  bankAccount: string | null;
  requestedAt: string;
  changedAt: string;
}
/** What happened to all links of a creator on one UTC day, deleted links included. */
export interface SalesDay {
  /** As 2026-11-21. */
  day: string;
  views: number;
  checkouts: number;
  sales: number;
  /** Refunds made on this day, whenever the sale was made. */
  refunds: number;
  /** Cents, the creator's net of this day's sales. */
  net: number;
  /** Cents returned on this day by refunds and disputes, less what was restored. */
  returned: number;
}
/** Where visitors of a creator’s links came from, and what came of them. */
export interface LinkSource {
  /** A host; `utm_source|utm_medium|utm_campaign` of the address that they opened; or one of `direct`, `explore`, `seller`, `site` (another page of this one) and `other`. */
  source: string;
  /** The same in words. */
  name: string;
  views: number;
  checkouts: number;
  sales: number;
  /** Cents, the creator's net of these sales, before refunds. */
  net: number;
}
export interface ModelPaywallLinkFilterInput {
  createdAt?: ModelStringInput | null | undefined;
  id?: ModelStringInput | null | undefined;
  owner?: ModelStringInput | null | undefined;
  price?: ModelIntInput | null | undefined;
  type?: ModelStringInput | null | undefined;
}
export interface CreatePaywallLinkInput {
  /** How many are sold; 0 for any number. */
  copies?: number | null | undefined;
  /** Plain text; line breaks are kept. */
  description?: string | null | undefined;
  /** Keys of several uploads; key is the first of them. */
  files?: Array<string> | null | undefined;
  id?: string | null | undefined;
  key?: string | null | undefined;
  /** Cents: buyers name the price, from this on; 0 lets them pay nothing. */
  least?: number | null | undefined;
  noindex?: boolean | null | undefined;
  owner?: string | null | undefined;
  /** Of a bundle: 2 to 20 links of yours. */
  parts?: Array<string> | null | undefined;
  /** One of none, first-page, blurred, excerpt; it has to fit the first file. */
  preview?: string | null | undefined;
  /** Cents. */
  price: number;
  /** Whether each page of its PDFs shows who bought it: their email address and order number. */
  stamp?: boolean | null | undefined;
  title?: string | null | undefined;
  type: string;
  unlisted?: boolean | null | undefined;
  unlocked?: boolean | null | undefined;
  /** When its sale ends, ISO 8601; '' for never. */
  until?: string | null | undefined;
  url?: string | null | undefined;
}
export interface UpdatePaywallLinkInput {
  /** How many are sold; 0 for any number. */
  copies?: number | null | undefined;
  /** '' removes it. */
  description?: string | null | undefined;
  /** On how many devices a license key may be used; 0 for any number. */
  devices?: number | null | undefined;
  files?: Array<string> | null | undefined;
  id: string;
  key?: string | null | undefined;
  /** As when it is created; -1 makes the price fixed. */
  least?: number | null | undefined;
  /** Which license keys later buyers get: 'generated', or of your own 'list'; '' for none. */
  licenses?: string | null | undefined;
  noindex?: boolean | null | undefined;
  /** Of a bundle: what later buyers get. What was bought stays bought. */
  parts?: Array<string> | null | undefined;
  paused?: boolean | null | undefined;
  /** One of none, first-page, blurred, excerpt; it has to fit the first file. */
  preview?: string | null | undefined;
  /** Cents. */
  price?: number | null | undefined;
  /** What its short address ends with, below that of your page; '' removes it. */
  short?: string | null | undefined;
  /** Whether each page of its PDFs shows who bought it: their email address and order number. */
  stamp?: boolean | null | undefined;
  /** Emails the buyers who asked for it that there is a new version. */
  tellBuyers?: boolean | null | undefined;
  title?: string | null | undefined;
  unlisted?: boolean | null | undefined;
  unlocked?: boolean | null | undefined;
  /** When its sale ends, ISO 8601; '' for never. */
  until?: string | null | undefined;
  url?: string | null | undefined;
  /** An earlier version, whose content is put on sale again. */
  version?: number | null | undefined;
}
export interface ModelStringInput {
  beginsWith?: string | null | undefined;
  between?: Array<string> | null | undefined;
  eq?: string | null | undefined;
  ge?: string | null | undefined;
  gt?: string | null | undefined;
  le?: string | null | undefined;
  lt?: string | null | undefined;
  ne?: string | null | undefined;
}
export interface ModelIntInput {
  between?: Array<number> | null | undefined;
  eq?: number | null | undefined;
  ge?: number | null | undefined;
  gt?: number | null | undefined;
  le?: number | null | undefined;
  lt?: number | null | undefined;
  ne?: number | null | undefined;
}
/** One link, resolved for this viewer. Null when it does not exist. */
export const getLink: Operation<Link | null, { id: string }> = {
  text: "query getLink($id:ID!){getPaywallLink(id:$id){...Link}}fragment Link on PaywallLink{id type title description price least free unlisted noindex paused pending hold fault copies left until preview key url files{...LinkFile}cover{url width height}seller short owner version statistics{views checkouts sales refunds}createdAt updatedAt deletedAt}fragment LinkFile on PaywallFile{key name mediaType size sha256}",
  isQuery: true,
};
/** Links, newest first unless sorted otherwise. Null when they could not be read. Unlisted ones are among them for the service key, and for their owner when the filter names that owner or only `mine` are asked for. A page whose filter or search matches few links may contain fewer than its limit, even none: continue with nextToken until it is null. */
export const listLinks: Operation<{
  items: Array<Link>;
  nextToken: string | null;
} | null, { mine?: boolean | null | undefined; search?: string | null | undefined; sort?: string | null | undefined; filter?: ModelPaywallLinkFilterInput | null | undefined; nextToken?: string | null | undefined }> = {
  text: "query listLinks($mine:Boolean$search:String$sort:String$filter:ModelPaywallLinkFilterInput$nextToken:String){listPaywallLinks(mine:$mine search:$search sort:$sort filter:$filter limit:50 nextToken:$nextToken){items{...Link}nextToken}}fragment Link on PaywallLink{id type title description price least free unlisted noindex paused pending hold fault copies left until preview key url files{...LinkFile}cover{url width height}seller short owner version statistics{views checkouts sales refunds}createdAt updatedAt deletedAt}fragment LinkFile on PaywallFile{key name mediaType size sha256}",
  isQuery: true,
};
/** The creator's own deleted links, most recently deleted first. What they sold stays in the books, and their buyers keep it. */
export const listDeletedLinks: Operation<{
  items: Array<Link>;
  nextToken: string | null;
} | null, { nextToken?: string | null | undefined }> = {
  text: "query listDeletedLinks($nextToken:String){listDeletedPaywallLinks(limit:50 nextToken:$nextToken){items{...Link}nextToken}}fragment Link on PaywallLink{id type title description price least free unlisted noindex paused pending hold fault copies left until preview key url files{...LinkFile}cover{url width height}seller short owner version statistics{views checkouts sales refunds}createdAt updatedAt deletedAt}fragment LinkFile on PaywallFile{key name mediaType size sha256}",
  isQuery: true,
};
export const createLink: Operation<Link | null, { input: CreatePaywallLinkInput }> = {
  text: "mutation createLink($input:CreatePaywallLinkInput!){createPaywallLink(input:$input){...Link}}fragment Link on PaywallLink{id type title description price least free unlisted noindex paused pending hold fault copies left until preview key url files{...LinkFile}cover{url width height}seller short owner version statistics{views checkouts sales refunds}createdAt updatedAt deletedAt}fragment LinkFile on PaywallFile{key name mediaType size sha256}",
  isQuery: false,
};
export const updateLink: Operation<Link | null, { input: UpdatePaywallLinkInput }> = {
  text: "mutation updateLink($input:UpdatePaywallLinkInput!){updatePaywallLink(input:$input){...Link}}fragment Link on PaywallLink{id type title description price least free unlisted noindex paused pending hold fault copies left until preview key url files{...LinkFile}cover{url width height}seller short owner version statistics{views checkouts sales refunds}createdAt updatedAt deletedAt}fragment LinkFile on PaywallFile{key name mediaType size sha256}",
  isQuery: false,
};
export const deleteLink: Operation<{
  id: string;
} | null, { id: string }> = {
  text: "mutation deleteLink($id:ID!){deletePaywallLink(input:{id:$id}){id}}",
  isQuery: false,
};
/** Puts one of the creator's own deleted links back on sale. */
export const restoreLink: Operation<Link | null, { id: string }> = {
  text: "mutation restoreLink($id:ID!){restorePaywallLink(input:{id:$id}){...Link}}fragment Link on PaywallLink{id type title description price least free unlisted noindex paused pending hold fault copies left until preview key url files{...LinkFile}cover{url width height}seller short owner version statistics{views checkouts sales refunds}createdAt updatedAt deletedAt}fragment LinkFile on PaywallFile{key name mediaType size sha256}",
  isQuery: false,
};
/** The signed-in creator's sales. Who bought is not told. */
export const listSales: Operation<{
  items: Array<Sale>;
  nextToken: string | null;
} | null, { sort?: string | null | undefined; undelivered?: boolean | null | undefined; nextToken?: string | null | undefined }> = {
  text: "query listSales($sort:String$undelivered:Boolean$nextToken:String){listSales(sort:$sort undelivered:$undelivered nextToken:$nextToken){items{...Sale}nextToken}}fragment Sale on Sale{id linkId title key url gross net paid paidAt gift state refundable refunds{id amount state reason by createdAt}dispute{amount state respondBy evidence}delivery{state percent}refused}",
  isQuery: true,
};
/** How many of the signed-in creator's sales `listSales(undelivered: true)` lists. */
export const countUndelivered: Operation<number | null, Record<string, never>> = {
  text: "query countUndelivered{countUndeliveredSales}",
  isQuery: true,
};
/** The signed-in creator's last days, 1 to 366 of them: oldest first, today last, quiet days included. */
export const listSalesByDay: Operation<Array<SalesDay> | null, { days: number }> = {
  text: "query listSalesByDay($days:Int!){getSalesByDay(days:$days){...SalesDay}}fragment SalesDay on SalesDay{day views checkouts sales refunds net returned}",
  isQuery: true,
};
/** Where visitors of the signed-in creator's links came from in the last 1 to 366 days: at most 100 sources, those that earned most first. */
export const listSources: Operation<Array<LinkSource> | null, { days: number; linkId?: string | null | undefined }> = {
  text: "query listSources($days:Int!$linkId:ID){listSources(days:$days linkId:$linkId){...LinkSource}}fragment LinkSource on LinkSource{source name views checkouts sales net}",
  isQuery: true,
};
/** What a refund of one of your sales would cost whom. */
export const quoteRefund: Operation<RefundQuote | null, { sale: string; amount?: number | null | undefined }> = {
  text: "query quoteRefund($sale:ID!$amount:Int){quoteRefund(purchaseId:$sale amount:$amount){...RefundQuote}}fragment RefundQuote on RefundQuote{amount creator fee tax processing processingBy balance whole}",
  isQuery: true,
};
/** Gives one of your sales back to its buyer, whole or in part. With the service key, any sale. */
export const createRefund: Operation<Sale | null, { sale: string; amount?: number | null | undefined; reason: string }> = {
  text: "mutation createRefund($sale:ID!$amount:Int$reason:String!){refundSale(purchaseId:$sale amount:$amount reason:$reason){...Sale}}fragment Sale on Sale{id linkId title key url gross net paid paidAt gift state refundable refunds{id amount state reason by createdAt}dispute{amount state respondBy evidence}delivery{state percent}refused}",
  isQuery: false,
};
/** The signed-in creator's money: what may be paid out now, and what when. */
export const getMoney: Operation<Money | null, Record<string, never>> = {
  text: "query getMoney{getMoney{...Money}}fragment Money on Money{balance available pending reserved inTransit releases{availableOn amount sales}heldUntil obstacle}",
  isQuery: true,
};
/** The signed-in creator's payouts through the payment provider, newest first. */
export const listPayouts: Operation<{
  items: Array<Payout>;
  nextToken: string | null;
} | null, { nextToken?: string | null | undefined }> = {
  text: "query listPayouts($nextToken:String){listPayouts(nextToken:$nextToken){items{...Payout}nextToken}}fragment Payout on Payout{id amount cost arrives state note bankAccount requestedAt changedAt}",
  isQuery: true,
};
