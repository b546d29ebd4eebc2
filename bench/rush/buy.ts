import { setTimeout as sleep } from 'node:timers/promises';
import { CARDS } from '../../tests/factories/payment.ts';
import { type Answer, type Asked, ask } from '../ask.ts';
import { receiveFile } from '../receive-file.ts';
import type { Shop } from '../shop/start-shop.ts';

/** Milliseconds that a buyer waited. */
export interface Waits {
  /** For each page, and for the way to the content. */
  pages: number[];
  checkout: number;
  /** From the payment to the content's first page. */
  unlocked: number;
}

/** What it takes to be led back from the provider's page, in milliseconds. */
const LED_BACK_MS = 200;
/** How the page after the payment asks until the sale is known: web/selling/checkout/success.page.tsx. */
const QUICK_POLLS = 12;
const QUICK_MS = 250;
const SLOW_MS = 2_500;
const STATE = 'query ($id: ID!) { getCheckout(sessionId: $id) { state } }';
const PATIENCE_MS = 60_000;

/**
 * One buyer from the link to its bytes.
 * @param address of the buyer's network: each has a few checkouts a minute
 * @throws when anything is not as it should be
 */
export async function buy(shop: Shop, address: string): Promise<Waits> {
  const { origin, linkId, content } = shop;
  const pages: number[] = [];
  let cookie = '';
  const open = async (path: string, more: Asked = {}) => {
    const url = new URL(path, origin).href;
    const answer = await ask(url, { ...more, headers: { ...headersOf(), ...more.headers } });
    const set = answer.headers['set-cookie']?.map((line) => line.split(';')[0]) ?? [];
    cookie = [cookie, ...set].filter(Boolean).join('; ');
    return answer;
  };
  const headersOf = () => ({ 'x-forwarded-for': address, ...(cookie && { cookie }) });
  const openPage = async (path: string, status = 200) => {
    const [answer, waited] = await timed(() => open(path));
    pages.push(waited);
    requireStatus(answer, status, path);
    return answer;
  };

  await openPage(`/p/${linkId}`);
  requireStatus(await open(`/p/${linkId}/view.gif`), 200, 'view.gif');
  const [begun, checkout] = await timed(() =>
    open('/prod/checkout', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ paywallId: linkId }),
    }),
  );
  requireStatus(begun, 200, 'The checkout');
  const paid = await ask(JSON.parse(begun.text).url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: cardOf(`${address}@example.com`),
  });
  requireStatus(paid, 303, 'The payment');
  const paidAt = performance.now();
  await sleep(LED_BACK_MS);
  const success = paid.headers.location ?? '';
  let isSettled = (await openPage(success)).text.includes('Your file is now unlocked');
  const id = new URL(success).searchParams.get('session_id');
  for (let polls = 0; !isSettled; polls += 1) {
    if (performance.now() - paidAt > PATIENCE_MS) throw new Error('It was not settled.');
    await sleep(polls < QUICK_POLLS ? QUICK_MS : SLOW_MS);
    const answer = await open('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, ...shop.key },
      body: JSON.stringify({ query: STATE, variables: { id } }),
    });
    isSettled = JSON.parse(answer.text).data?.getCheckout.state === 'settled';
  }
  const unlocked = performance.now() - paidAt;
  const { headers } = await openPage(`/p/${linkId}/content`, 303);
  const matched = matchBytes(content);
  await receiveFile(new URL(headers.location ?? '', origin).href, headersOf(), matched.take);
  if (!matched.isWhole()) throw new Error('The download is not what was sold.');
  return { pages, checkout, unlocked };
}

const cardOf = (email: string) =>
  String(new URLSearchParams({ cardNumber: CARDS.pays, expiry: '12 / 34', cvc: '123', email }));

const HEAD_END = '\r\n\r\n';

/** Compares what comes after the head of an answer with what is expected. */
function matchBytes(expected: Buffer) {
  let place = -1;
  return {
    take(bytes: Buffer): void {
      const isHead = place === -1;
      const body = isHead ? bytes.subarray(bytes.indexOf(HEAD_END) + HEAD_END.length) : bytes;
      if (isHead) place = 0;
      const isRight = body.equals(expected.subarray(place, place + body.length));
      place = isRight ? place + body.length : Number.NaN;
    },
    isWhole: () => place === expected.length,
  };
}

async function timed<Result>(work: () => Promise<Result>): Promise<[Result, number]> {
  const begun = performance.now();
  return [await work(), performance.now() - begun];
}

function requireStatus({ status, text }: Answer, expected: number, what: string): void {
  if (status !== expected) throw new Error(`${what} answered ${status}: ${text.slice(0, 200)}`);
}
