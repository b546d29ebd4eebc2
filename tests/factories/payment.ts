import { LIMITS } from '../../server/edge/http/rate-limits.ts';
import { type Person, postJson, readJson } from '../harness/person.ts';

export const CARDS = {
  pays: '4242 4242 4242 4242',
  declines: '4000 0000 0000 0002',
  asksForConfirmation: '4000 0025 0000 3155',
  isDisputed: '4000 0000 0000 0259',
  settlesLater: '4000 0000 0000 8888',
  failsLater: '4000 0000 0000 8880',
};

/** As often as a browser may check out in a minute. */
export const CHECKOUTS_A_MINUTE = LIMITS.checkouts[0]?.[0] ?? 0;

export const BUYER_EMAIL = 'visitor@example.com';

/** Begins a checkout. Returns the address of the provider's hosted page. */
export async function checkOut(person: Person, paywallId: string): Promise<string> {
  const { url } = await readJson<{ url: string }>(
    await postJson(person, '/prod/checkout', { paywallId }),
  );
  return url;
}

/** Fills in the hosted page. Returns its answer: 303 to the success page when the card paid. */
export function payAt(
  person: Person,
  checkoutUrl: string,
  cardNumber = CARDS.pays,
  email = BUYER_EMAIL,
) {
  const form = { cardNumber, expiry: '12 / 34', cvc: '123', email };
  return person.fetch(checkoutUrl, { method: 'POST', body: new URLSearchParams(form) });
}

/** Checks out, pays and returns the address of the success page. */
export async function payFor(person: Person, paywallId: string): Promise<string> {
  const answer = await payAt(person, await checkOut(person, paywallId));
  const location = answer.headers.get('location');
  if (answer.status !== 303 || !location) {
    throw new Error(`The payment answered ${answer.status}: ${await answer.text()}`);
  }
  return location;
}
