import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type Stripe from 'stripe';
import { TEST_BANK_ACCOUNTS } from '../../sandbox/operations/accounts.ts';
import { checkOutCart, postForm } from '../factories/cart-steps.ts';
import { announceUpload, createLink, sellFile, sendBytes, signUp } from '../factories/factories.ts';
import { checkOut, payAt, payFor } from '../factories/payment.ts';
import { createPerson, createPersonAt, type Person } from '../harness/person.ts';
import type { SpawnedApp } from '../harness/spawn-app.ts';
import { deliverWebhook } from '../harness/webhook.ts';
import { askForPayout, beginPayouts } from './payouts.ts';
import type { Random } from './random.ts';

const BUYERS_AT_ONCE = 10;
/** Every so many buyers, one buys a cart of two things. */
const CART_EVERY = 3;
const REFUNDS_AT_ONCE = 2;
const PIECE = 128 * 1024;
/** Of what each creator sells. */
const PRICES = [[300, 1999], [777]];
/** Of each creator's first sale, whose fee bears what refunds cost the operator from then on. */
const FIRST_PRICE = 500_000;

export type Creator = Awaited<ReturnType<typeof signUp>>;
type Good = { id: string; price: number; sha256: string };
/** Of one thing or, in a cart, of two. */
export type Buyer = { person: Person; goods: Good[]; sessions: Set<string> };

export type Shop = {
  buyers: Buyer[];
  /** A while of everything that happens in a shop; what a kill breaks off is left as it is. */
  open(): Promise<void>;
  /** A few sales, one of them of a cart, while nothing is killed. */
  sellUndisturbed(): Promise<void>;
  /** Sends what is missing of the upload and sells it. @returns a link and what it must deliver */
  finishUpload(): Promise<{ person: Person; good: Good }>;
};

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/**
 * Two creators, one of whose banks takes payouts while the other's refuses them, with three files
 * on sale and a fourth that is being uploaded.
 */
export async function openShop(app: SpawnedApp, stripe: Stripe, random: Random): Promise<Shop> {
  const creators: Creator[] = [];
  const goods: Good[] = [];
  for (const [index, { number }] of TEST_BANK_ACCOUNTS.entries()) {
    const creator = await signUp(app);
    creators.push(creator);
    for (const price of PRICES[index] ?? []) {
      const { id, bytes } = await sellFile(creator, { price, size: 50_000 + price });
      goods.push({ id, price, sha256: sha256(bytes) });
    }
    const address = { type: 'link', url: 'https://example.com/', price: FIRST_PRICE };
    await payFor(createPerson(app), (await createLink(creator, address)).id);
    await beginPayouts(app, creator, number);
  }
  const [seller] = creators as [Creator];
  const upload = new Uint8Array(randomBytes(4 * 1024 * 1024));
  const announced = await announceUpload(seller, { name: 'large.bin', size: upload.length });
  const location = announced.headers.get('location') ?? '';
  const buyers: Buyer[] = [];

  async function buy(): Promise<void> {
    const good = random.pick(goods) as Good;
    const other = random.pick(goods.filter((one) => one !== good)) as Good;
    const buyer = {
      person: createPersonAt(app, `198.51.${100 + (buyers.length >> 8)}.${buyers.length % 256}`),
      goods: buyers.length % CART_EVERY === 0 ? [good, other] : [good],
      sessions: new Set<string>(),
    };
    buyers.push(buyer);
    await sleep(random.next() * 300);
    const url = await begin(buyer);
    buyer.sessions.add(/cs_\w+/.exec(url)?.[0] ?? '');
    const paid = await payAt(buyer.person, url);
    const success = paid.headers.get('location');
    if (success && random.chance(0.5)) await buyer.person.fetch(success);
  }

  /** @returns the address of the hosted page */
  async function begin({ person, goods }: Buyer): Promise<string> {
    const [good, ...more] = goods as [Good, ...Good[]];
    if (more.length === 0) return checkOut(person, good.id);
    for (const { id } of goods) {
      redirectionOf(await postForm(person, '/cart/add', { paywallId: id }));
    }
    return redirectionOf(await checkOutCart(person));
  }

  function redirectionOf(answer: Response): string {
    const url = answer.headers.get('location');
    if (!url) throw new Error(`The cart was answered ${answer.status}.`);
    return url;
  }

  /** Each event comes once by itself; the provider promises neither once nor in order. */
  async function repeatEvents(): Promise<void> {
    for (;;) {
      const { data } = await stripe.events.list({ limit: 20 });
      const event = random.pick(data);
      if (event) await deliverWebhook(app, event);
      await sleep(100 + random.next() * 200);
    }
  }

  const isReturnable = ({ paid, refunded, amount }: Stripe.Charge) =>
    paid && !refunded && amount < FIRST_PRICE;

  async function refund(): Promise<void> {
    await sleep(random.next() * 300);
    const { data } = await stripe.charges.list({ limit: 20 });
    const charge = random.pick(data.filter(isReturnable));
    if (!charge) return;
    const left = charge.amount - charge.amount_refunded;
    const amount = random.chance(0.5) ? left : Math.ceil(left / 3);
    await stripe.refunds.create({ charge: charge.id, amount });
  }

  async function getPaid(creator: Creator): Promise<void> {
    await sleep(random.next() * 600);
    await askForPayout(creator);
  }

  async function offset(): Promise<number> {
    const headers = { 'tus-resumable': '1.0.0' };
    const state = await seller.fetch(location, { method: 'HEAD', headers });
    return Number(state.headers.get('upload-offset'));
  }

  async function sendPieces(pauseMs: number): Promise<void> {
    for (let at = await offset(); at < upload.length; at += PIECE) {
      const answer = await sendBytes(seller, location, upload.subarray(at, at + PIECE), at);
      if (answer.status !== 204) throw new Error(`The upload was answered ${answer.status}.`);
      await sleep(pauseMs);
    }
  }

  return {
    buyers,
    async open() {
      const buying = Array.from({ length: BUYERS_AT_ONCE }, buy);
      const refunding = Array.from({ length: REFUNDS_AT_ONCE }, refund);
      const paying = creators.map(getPaid);
      const busy = [...buying, ...refunding, ...paying, sendPieces(200)].map((work) =>
        work.catch(() => {}),
      );
      const repeating = repeatEvents().catch(() => {});
      await Promise.race([Promise.all(busy), repeating]);
    },
    async sellUndisturbed() {
      await Promise.all(Array.from({ length: CART_EVERY }, buy));
    },
    async finishUpload() {
      await sendPieces(0);
      const key = decodeURIComponent(announced.headers.get('upload-key') ?? '');
      const { id, price } = await createLink(seller, { key });
      return { person: seller, good: { id, price, sha256: sha256(upload) } };
    },
  };
}
