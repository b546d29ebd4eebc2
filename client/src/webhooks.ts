import { PadlinkError } from './errors.ts';

interface Told<Type extends string, Data> {
  /** The same each time that the event is told. */
  id: string;
  type: Type;
  /** When it happened, ISO 8601. */
  timestamp: string;
  /** `owner` is the seller's id. */
  data: Data & { owner: string };
}

/** Amounts are cents; nothing tells who bought. */
export interface ToldSale {
  id: string;
  linkId: string;
  title: string | null;
  currency: string;
  gross: number;
  fee: number;
  net: number;
  tax: number;
  paidAt: string | null;
  /** Whether it was paid in test mode. */
  test: boolean;
  /** Whether it was bought for someone else. */
  gift: boolean;
}

export interface ToldRefund {
  id: string;
  amount: number;
  currency: string;
}

export interface ToldDispute extends ToldRefund {
  state: 'inquiry' | 'open' | 'lost' | 'over';
}

export interface ToldLink {
  id: string;
  type: 'file' | 'link';
  title: string | null;
  price: number;
  currency: string;
  free: boolean;
  unlisted: boolean;
  version: number;
  state: 'on_sale' | 'paused' | 'deleted' | 'taken_down';
}

export interface ToldPayout {
  id: string;
  amount: number;
  cost: number;
  arrives: number;
  currency: string;
  bankAccount: string | null;
  test: boolean;
}

export type WebhookEvent =
  | Told<'sale.created', { sale: ToldSale }>
  | Told<'sale.refunded' | 'sale.refund_failed', { sale: ToldSale; refund: ToldRefund }>
  | Told<'dispute.opened' | 'dispute.closed', { sale: ToldSale; dispute: ToldDispute }>
  | Told<'link.created' | 'link.updated', { link: ToldLink }>
  | Told<'payout.paid', { payout: ToldPayout }>;

/** Of a request, as Node.js or `fetch` gives them. */
export type WebhookHeaders =
  | Pick<Headers, 'get'>
  | Record<string, string | readonly string[] | undefined>;

/** Seconds that the clocks, and the way here, may differ by. */
const TOLERANCE = 5 * 60;

/**
 * The event that a message tells, once it is certain that it comes from whoever has the secret
 * (Standard Webhooks). It may come again: then it has the same `id`.
 * @param body as it arrived: parsed and written anew it is another text
 * @param secret `whsec_…`, or several while one replaces another
 * @throws PadlinkError INVALID_SIGNATURE
 */
export async function verify(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string | readonly string[],
): Promise<WebhookEvent> {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const age = Date.now() / 1_000 - Number(timestamp);
  if (!id || !/^\d+$/.test(timestamp)) throw refused('It lacks the headers of a webhook.');
  if (Math.abs(age) > TOLERANCE) {
    throw refused('It was signed more than five minutes ago, or the clock of one side is wrong.');
  }
  const text =
    typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  const signed = encode(`${id}.${timestamp}.${text}`);
  const signatures = header(headers, 'webhook-signature').split(' ');
  for (const one of [secret].flat()) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const bytes = decode(one.replace(/^whsec_/, ''));
    if (!bytes?.length) throw refused('The secret is not one of a webhook: it begins with whsec_.');
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
    for (const base64 of signatures) {
      const signature = base64.startsWith('v1,') && decode(base64.slice(3));
      // It takes as long whichever byte is wrong.
      if (signature && (await crypto.subtle.verify(algorithm, key, signature, signed))) {
        return { ...JSON.parse(text), id };
      }
    }
  }
  throw refused('No signature fits the secret and what arrived.');
}

function header(headers: WebhookHeaders, name: string): string {
  if (isHeaders(headers)) return headers.get(name) ?? '';
  // Some frameworks keep names as they were sent.
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : '';
}

function isHeaders(headers: WebhookHeaders): headers is Pick<Headers, 'get'> {
  return typeof headers.get === 'function';
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function decode(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function refused(message: string): PadlinkError {
  return new PadlinkError('INVALID_SIGNATURE', message);
}
