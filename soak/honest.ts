import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLink, graphql, signIn, signUp, uploadFile } from '../tests/factories/factories.ts';
import { checkOut, payAt } from '../tests/factories/payment.ts';
import { createPerson, type Person } from '../tests/harness/person.ts';

/** What honest people found. */
export interface Findings {
  /** Milliseconds that each page of the buyer's took, by its name. */
  pages: Map<string, number[]>;
  /** Bytes of each page, in the order in which they are read. */
  sizes: Map<string, number>;
  bought: number;
  uploaded: number;
  /** What went wrong, in words. */
  failures: string[];
}

export interface Sale {
  linkId: string;
  /** SHA-256 of the content, hex. */
  hash: string;
}

/** No page: the provider is asked. */
export const CHECKOUT = 'checkout';

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Below the checkouts that one address may begin in a minute. */
const BETWEEN_PURCHASES_MS = 1_500;

/** Buys the link again and again, each time in another browser, until the time is over. */
export async function keepBuying(
  origin: string,
  sale: Sale,
  until: number,
  findings: Findings,
): Promise<void> {
  while (Date.now() < until) {
    try {
      await buy(createPerson({ origin }), sale, findings);
      findings.bought += 1;
    } catch (error) {
      findings.failures.push(`A purchase failed: ${error}`);
    }
    await sleep(BETWEEN_PURCHASES_MS);
  }
}

/** Reads pages of these sizes at a bare server, as often as the buyer does, until the time is over. */
export async function keepReading(
  origin: string,
  sizes: number[],
  until: number,
  times: number[],
): Promise<void> {
  while (Date.now() < until) {
    const reader = createPerson({ origin });
    for (const size of sizes) {
      const start = performance.now();
      await (await reader.fetch(`/bytes/${size}`)).text();
      times.push(performance.now() - start);
    }
    await sleep(BETWEEN_PURCHASES_MS);
  }
}

async function buy(
  buyer: Person,
  { linkId, hash }: Sale,
  { pages, sizes }: Findings,
): Promise<void> {
  async function timed<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const start = performance.now();
    const result = await work();
    pages.set(name, [...(pages.get(name) ?? []), performance.now() - start]);
    return result;
  }
  const read = (name: string, path: string, status = 200) =>
    timed(name, async () => {
      const answer = await buyer.fetch(path);
      const body = await answer.text();
      if (answer.status !== status) throw new Error(`${path} answered ${answer.status}: ${body}`);
      sizes.set(name, Buffer.byteLength(body));
      return { answer, body };
    });

  await read('/explore', '/explore');
  await read('/p/:id', `/p/${linkId}`);
  const checkoutUrl = await timed(CHECKOUT, () => checkOut(buyer, linkId));
  await read('hosted page', checkoutUrl);
  const paid = await payAt(buyer, checkoutUrl);
  const success = paid.headers.get('location');
  if (paid.status !== 303 || !success) throw new Error(`The payment answered ${paid.status}.`);
  for (let tries = 0; ; tries++) {
    const { body } = await read('/success', success);
    if (body.includes('Your file is now unlocked')) break;
    if (tries > 100) throw new Error('It was not settled.');
    await sleep(100);
  }
  await read('/p/:id, bought', `/p/${linkId}`);
  const { answer } = await read('content', `/p/${linkId}/content`, 303);
  const download = await buyer.fetch(answer.headers.get('location') ?? '');
  const bytes = new Uint8Array(await download.arrayBuffer());
  if (hashOf(bytes) !== hash) throw new Error(`The download answered ${download.status}.`);
}

/** Uploads files of five mebibytes and puts them up for sale until the time is over, as a new seller. */
export async function keepSelling(
  app: { origin: string },
  until: number,
  findings: Findings,
): Promise<void> {
  const seller = await signUp(app);
  for (let turn = 0; Date.now() < until; turn++) {
    try {
      const bytes = new Uint8Array(randomBytes(5 * 1024 * 1024));
      const { key } = await uploadFile(seller, { name: `study-pack-${turn}.pdf`, bytes });
      const { id } = await createLink(seller, { key, price: 300 });
      const query = 'query ($id: ID!) { getPaywallLink(id: $id) { unlocked } }';
      await graphql(seller, query, { id });
      if (turn % 5 === 0) await signIn(seller, seller.email);
      findings.uploaded += 1;
    } catch (error) {
      findings.failures.push(`The seller was kept from working: ${error}`);
    }
    await sleep(1_000);
  }
}

/** The value below which so many of a hundred lie. */
export function percentile(values: number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
}

/** An upload of this size in all, on sale. */
export async function putUpForSale(seller: Person, size: number): Promise<Sale> {
  const bytes = new Uint8Array(randomBytes(size));
  const { key } = await uploadFile(seller, { name: 'study-pack.pdf', bytes });
  const { id } = await createLink(seller, { key, price: 300 });
  return { linkId: id, hash: hashOf(bytes) };
}
