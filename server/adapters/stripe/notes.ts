import type Stripe from 'stripe';
import { z } from 'zod';
import { fitUnits } from '../../../contract/characters.ts';
import { MAX_CART_LINES } from '../../../contract/limits.ts';
import type {
  CheckoutRequest,
  CheckoutSession,
  NotedPurchase,
} from '../../selling/purchases/card-provider.ts';
import { paymentKind } from '../../selling/purchases/payment-kind.ts';

/**
 * Our own notes at a session and its payment. The provider takes 50 of 500 characters each: each
 * purchase has one where there are several.
 */
export function writeNotes({ paymentId, installationId, lines }: CheckoutRequest) {
  const [first] = lines;
  if (!first) throw new Error('A checkout has no lines');
  const noted = lines.map((line, index) => [nameOf(index), writeLine(line)]);
  return {
    payment_id: paymentId,
    purchase_id: first.purchaseId,
    link_id: first.linkId,
    installation_id: installationId,
    fee_cents: lines.reduce((sum, { feeCents }) => sum + feeCents, 0),
    content_fingerprint: first.contentFingerprint,
    ...(first.gift && { gift_email: first.gift.email }),
    ...(first.gift?.message && { gift_message: fitNote(first.gift.message) }),
    ...Object.fromEntries(paymentKind(lines).listLines(noted)),
  };
}

export const fitNote = (text: string) => fitUnits(text, 500);

const nameOf = (index: number) => `line_${index + 1}`;

const writeLine = (line: NotedPurchase) =>
  [line.purchaseId, line.linkId, line.agreedCents, line.feeCents, line.contentFingerprint].join(
    ' ',
  );

const LINE = /^(?<purchaseId>\S+) (?<linkId>\S+) (?<agreed>\d+) (?<fee>\d+) (?<content>\S+)$/;

function readLine(note: string | null): NotedPurchase | null {
  const { purchaseId, linkId, agreed, fee, content } = LINE.exec(note ?? '')?.groups ?? {};
  if (!purchaseId || !linkId || !content) return null;
  const cents = { agreedCents: Number(agreed), feeCents: Number(fee) };
  return { purchaseId, linkId, ...cents, contentFingerprint: content, gift: null };
}

const NOTE = z.string().nullable().catch(null);

/** Those of other products have none of them, and people may edit them there. */
const NOTES = z
  .object({
    payment_id: NOTE,
    /** Of several, in place of it, before 0.1.0. */
    cart_id: NOTE,
    purchase_id: NOTE,
    link_id: NOTE,
    installation_id: NOTE,
    fee_cents: z.string().regex(/^\d+$/).transform(Number).nullable().catch(null),
    content_fingerprint: NOTE,
    gift_email: NOTE,
    gift_message: NOTE,
  })
  .catchall(NOTE);

type Notes = Pick<
  CheckoutSession,
  'installationId' | 'purchaseId' | 'linkId' | 'paymentId' | 'lines'
>;

export function readNotes({ metadata, amount_subtotal }: Stripe.Checkout.Session): Notes {
  const notes = NOTES.parse(metadata ?? {});
  const { purchase_id: purchaseId, link_id: linkId } = notes;
  const paymentId = notes.payment_id ?? notes.cart_id ?? purchaseId;
  const { fee_cents: feeCents, content_fingerprint: contentFingerprint } = notes;
  const named = { installationId: notes.installation_id, purchaseId, linkId, paymentId };
  const { gift_email: email, gift_message: message } = notes;
  // What is bought alone has no line of its own.
  const alone = [purchaseId, linkId, amount_subtotal ?? 0, feeCents, contentFingerprint].join(' ');
  const written = Array.from(
    { length: MAX_CART_LINES },
    (_, index) => notes[nameOf(index)] ?? (index === 0 ? alone : null),
  );
  const lines = written.slice(0, written.findLastIndex((note) => note !== null) + 1).map(readLine);
  const [first] = lines;
  if (first && email !== null) first.gift = { email, message };
  return { ...named, lines: lines.every((line) => line !== null) ? lines : [] };
}
