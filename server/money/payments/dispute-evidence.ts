import { createHash } from 'node:crypto';
import { type Fact, fact } from '../../../contract/fact.ts';
import { formatBytes, sizeOf } from '../../../contract/format.ts';
import { formatCents } from '../../../contract/money.ts';
import type { Database } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { DAY_MS, isoTime } from '../../ground/lib/time.ts';
import type { Evidence, EvidenceField } from '../../selling/purchases/card-provider.ts';
import { findLines, selectPurchases } from '../../selling/purchases/queries.ts';
import { contentsOf } from '../../selling/purchases/sold-parts.ts';
import type { Purchase } from '../../selling/purchases/tables.ts';
import type { ReviewContext } from './review-payment.ts';

export interface EvidenceContext extends ReviewContext {
  /** Of a purchase. @throws DomainError RECEIPT_UNAVAILABLE */
  signReceipt(purchase: Purchase): Promise<string>;
}

/** Evidence that nobody sent is sent this long before the bank takes no more. */
const SENT_BEFORE_MS = DAY_MS;
/** Characters that the provider takes in one field. */
const MAX_EVIDENCE_LENGTH = 20_000;

/**
 * Attaches to a dispute what shows that its purchase was delivered, once for each change, and sends
 * it to the bank a day before the deadline: a bank takes evidence once, and what happens until then
 * belongs to it. What a person wrote into a field stays. What was not delivered is not sent: it wins
 * nothing, and answering a bank may cost a fee.
 * @returns when to look again, UTC milliseconds; null when nothing can come of it any more
 */
export async function attachEvidence(
  context: EvidenceContext,
  disputeId: string,
): Promise<number | null> {
  const { db, provider, now } = context;
  const purchase = await selectPurchases(db)
    .innerJoin('dispute', 'dispute.purchase_id', 'purchase.id')
    .where('dispute.id', '=', disputeId)
    .orderBy('line')
    .select('dispute.evidence as attached')
    .executeTakeFirst();
  if (!purchase?.payment_intent_id || purchase.mode !== provider.mode) return null;
  if (purchase.provider_account !== (await provider.account())) return null;
  const { disputes } = await provider.retrievePayment(purchase.payment_intent_id);
  const dispute = disputes.find(({ id }) => id === disputeId);
  if (!dispute?.awaitsAnswer) return null;

  const lines = await findLines(db, purchase.payment_id);
  const proofs = [];
  for (const line of lines) {
    const deliveries = await findDeliveries(db, line.id);
    proofs.push({ deliveries, evidence: await composeEvidence(context, line, deliveries) });
  }
  const evidence = join(proofs.map((proof) => proof.evidence));
  const isDelivered = proofs.some(({ deliveries }) => deliveries.length > 0);
  const known: Partial<Record<string, string>> = JSON.parse(purchase.attached);
  const changed = (Object.entries(evidence) as [EvidenceField, string][]).filter(
    ([field, text]) => {
      const current = dispute.evidence[field];
      const isOurs = !current || hashOf(current) === known[field];
      return text !== current && isOurs;
    },
  );
  const sendAt = dispute.respondBy === null ? null : dispute.respondBy - SENT_BEFORE_MS;
  const isDue = sendAt !== null && now() >= sendAt;
  const submit = isDue && isDelivered;
  if (changed.length > 0 || submit) {
    await provider.attachEvidence(disputeId, Object.fromEntries(changed), submit);
    const hashes = changed.map(([field, text]) => [field, hashOf(text)]);
    await db
      .updateTable('dispute')
      .set({
        evidence: JSON.stringify({ ...known, ...Object.fromEntries(hashes) }),
        evidence_state: submit ? 'sent' : 'attached',
        ...(submit && { awaits_answer: 0 }),
      })
      .where('id', '=', disputeId)
      .execute();
  }
  return isDue ? null : sendAt;
}

/** Of what was paid together: what is said of all is said once, and each field is one text. */
function join(evidences: Evidence[]): Evidence {
  const fields = new Set(evidences.flatMap((one) => Object.keys(one) as EvidenceField[]));
  return Object.fromEntries(
    [...fields].map((field) => {
      const texts = new Set(evidences.flatMap((one) => one[field] ?? []));
      // Only the first day on which anything was delivered is asked for.
      const said = field === 'service_date' ? [...texts].sort().slice(0, 1) : [...texts];
      return [field, said.join('\n\n').slice(0, MAX_EVIDENCE_LENGTH)];
    }),
  );
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Responses of a day that sent a file to the buyer and ended alike. */
type FoundDelivery = Awaited<ReturnType<typeof findDeliveries>>[number];

/** Newest last; so many days and files of one purchase are enough for any bank. */
const MAX_DELIVERIES = 100;

async function findDeliveries(db: Database, purchaseId: string) {
  const newest = await db
    .selectFrom('access_grant')
    .innerJoin('delivery', 'delivery.grant_id', 'access_grant.id')
    .innerJoin('file', 'file.key', 'delivery.file_key')
    .leftJoin('delivered_file', (join) =>
      join
        .onRef('delivered_file.grant_id', '=', 'delivery.grant_id')
        .onRef('delivered_file.file_key', '=', 'delivery.file_key'),
    )
    .where('access_grant.purchase_id', '=', purchaseId)
    .where(({ eb, or }) =>
      or([eb('delivery.bytes_sent', '>', 0), eb('delivery.outcome', '=', 'handed_over')]),
    )
    .orderBy('delivery.started_at', 'desc')
    .limit(MAX_DELIVERIES)
    // Sent bytes of the file, each counted once, over all days; null where nobody counted.
    .select(['file.name', 'file.size_bytes', 'delivered_file.bytes as sent_bytes'])
    .select(['delivery.responses', 'delivery.bytes_sent', 'delivery.outcome'])
    .select(['delivery.started_at', 'delivery.ended_at'])
    .select(['delivery.address', 'delivery.browser'])
    .execute();
  return newest.reverse();
}

/** What was sent of a purchase, of each file: to whom is not told. */
export async function describeDeliveries(db: Database, purchaseId: string): Promise<Fact[]> {
  const files = Map.groupBy(await findDeliveries(db, purchaseId), ({ name }) => name);
  return [...files.values()].flatMap((rows) => {
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return [];
    const { name, size_bytes, sent_bytes } = first;
    const from = isoTime(first.started_at).slice(0, 10);
    const to = isoTime(last.ended_at).slice(0, 10);
    const isOneDay = from === to;
    if (sent_bytes === null) {
      return isOneDay
        ? fact('{name} was handed over to be sent on {day}.', { name, day: to })
        : fact('{name} was handed over to be sent from {from} to {to}.', { name, from, to });
    }
    const sent = sizeOf(sent_bytes);
    const size = sizeOf(size_bytes);
    return isOneDay
      ? fact('{name}: {sent} of {size} were sent on {day}.', { name, sent, size, day: to })
      : fact('{name}: {sent} of {size} were sent from {from} to {to}.', {
          name,
          sent,
          size,
          from,
          to,
        });
  });
}

async function composeEvidence(
  { db, publicUrl, signReceipt }: EvidenceContext,
  purchase: Purchase,
  deliveries: FoundDelivery[],
): Promise<Evidence> {
  const receipt = await signReceipt(purchase).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'RECEIPT_UNAVAILABLE') return null;
    throw error;
  });
  const [first] = deliveries;
  const texts: Evidence = {
    product_description: await describeProduct(db, publicUrl, purchase),
    access_activity_log: deliveries.length > 0 ? writeLog(purchase, deliveries) : null,
    customer_email_address: purchase.buyer_email,
    customer_purchase_ip: purchase.buyer_address,
    service_date: isoTime(first?.started_at ?? purchase.settled_at ?? 0).slice(0, 10),
    uncategorized_text:
      receipt &&
      `The signed receipt of this purchase. Anybody can verify it: ${publicUrl}/verify\n\n${receipt}`,
  };
  return Object.fromEntries(
    Object.entries(texts)
      .filter(([, text]) => text)
      .map(([field, text]) => [field, text?.slice(0, MAX_EVIDENCE_LENGTH)]),
  );
}

async function describeProduct(
  db: Database,
  publicUrl: string,
  purchase: Purchase,
): Promise<string> {
  const { id, link_id: linkId, title, seller_name, settled_at } = purchase;
  const files = await db
    .selectFrom(contentsOf(db, [id]).as('bought'))
    .innerJoin('link_file', (join) =>
      join
        .onRef('link_file.link_id', '=', 'bought.link_id')
        .onRef('link_file.version', '=', 'bought.content_version'),
    )
    .innerJoin('file', 'file.key', 'link_file.file_key')
    .orderBy('link_file.link_id')
    .orderBy('link_file.position')
    .select(['file.name', 'file.size_bytes'])
    .execute();
  const content = files.map(({ name, size_bytes }) => `${name} (${size_bytes} bytes)`).join(', ');
  const seller = seller_name ? ` by ${seller_name}` : '';
  return [
    `Digital content, sold${seller} on ${publicUrl}/p/${linkId}${title ? `: “${title}”` : ''}.`,
    content ? `Files: ${content}.` : 'Access to a web address.',
    `Paid with $${formatCents(purchase.price_cents + purchase.tax_cents)} at ${timeOf(settled_at ?? 0)}, purchase ${id}.`,
    purchase.gift_email === null
      ? 'It could be opened at once, on that page and with a personal link that was emailed to the buyer.'
      : 'The buyer gave it to someone else: it could be opened at once, with a personal link that was emailed to the address which the buyer named at the checkout.',
  ].join(' ');
}

const timeOf = (time: number) => `${isoTime(time).slice(0, 19).replace('T', ' ')} UTC`;

const OUTCOMES = {
  delivered: 'sent to the end of what was asked for',
  broken: 'cut off by the other side',
  handed_over: 'handed over to the server that sends files',
};

const writeSent = ({ name, size_bytes: size, sent_bytes: sent }: FoundDelivery) =>
  sent === null
    ? `${name} was handed over to be sent.`
    : `${name}: ${formatBytes(sent)} of ${formatBytes(size)} were sent.`;

function writeLog(purchase: Purchase, deliveries: FoundDelivery[]): string {
  const place = (address: string | null, browser: string | null) =>
    address ? `, ${browser ?? 'Unknown device'} at ${address}` : '';
  const { buyer_address, buyer_browser, created_at } = purchase;
  const lines = deliveries.map(
    ({ name, responses, bytes_sent, outcome, started_at, ended_at, address, browser }) =>
      `${timeOf(started_at)} to ${timeOf(ended_at)}: ${name}, ${bytes_sent} bytes in ${responses} ${responses === 1 ? 'response' : 'responses'}, ${OUTCOMES[outcome]}${place(address, browser)}`,
  );
  const files = Map.groupBy(deliveries, ({ name }) => name);
  const sums = [...files.values()].flatMap(([row]) => (row ? [writeSent(row)] : []));
  return [
    `${timeOf(created_at)}: checkout of purchase ${purchase.id} begun${place(buyer_address, buyer_browser)}`,
    ...lines,
    ...sums,
  ].join('\n');
}

/** Network addresses and browsers are kept this long: a bank hardly takes a dispute later. */
const ADDRESSES_KEPT_FOR_MS = 180 * 24 * 60 * 60 * 1000;
/** The embedded database serves one at a time: nobody waits for all of it. */
const ROWS_AT_ONCE = 500;

/** Forgets from where purchases were made and fetched, half a year later. */
export async function sweepAddresses(db: Database, now: number): Promise<void> {
  const before = now - ADDRESSES_KEPT_FOR_MS;
  for (;;) {
    const { numUpdatedRows: purchases } = await db
      .updateTable('purchase')
      .set({ buyer_address: null, buyer_browser: null })
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('purchase')
          .where('buyer_address', 'is not', null)
          .where('created_at', '<', before)
          .limit(ROWS_AT_ONCE)
          .select('id'),
      )
      .executeTakeFirstOrThrow();
    const { numUpdatedRows: deliveries } = await db
      .updateTable('delivery')
      .set({ address: null, browser: null })
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('delivery')
          .where('address', 'is not', null)
          .where('started_at', '<', before)
          .limit(ROWS_AT_ONCE)
          .select('id'),
      )
      .executeTakeFirstOrThrow();
    if (purchases + deliveries === 0n) return;
  }
}
