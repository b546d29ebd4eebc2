import { createHash, randomBytes, randomInt } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../server/adapters/storage/open-store.ts';
import { sweepUnsoldFiles } from '../../server/delivery/downloads/delete-file.ts';
import { sweepAbandonedUploads, sweepUnneededBlobs } from '../../server/files/sweep.ts';
import { readConfig } from '../../server/ground/config/read-config.ts';
import { auth } from '../factories/account-requests.ts';
import {
  askGraphql,
  createLink,
  PASSWORD,
  publishableKey,
  readMail,
  signUp,
  storageUrl,
  UPDATE_LINK,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { checkOut, payAt } from '../factories/payment.ts';
import { deleteFile, deleteLink, RESTORE_LINK } from '../factories/stored-files.ts';
import { eventually } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { createPerson, type Person, postJson, readJson } from '../harness/person.ts';
import { createBucket, needS3, s3Settings } from '../harness/s3.ts';
import { type App, startApp } from '../harness/start-app.ts';
import { stripeOf } from '../harness/webhook.ts';
import { withDatabase } from '../harness/with-database.ts';

/** How many random sequences are tried in each place, and what repeats them. */
const RUNS = Number(process.env.PADLINK_RIGHTS_RUNS ?? 1);
const SEED = Number(process.env.PADLINK_RIGHTS_SEED ?? randomInt(2 ** 31));

const PLACES = [
  { database: 'sqlite', store: 'disk', delivery: '' },
  { database: 'postgres', store: 's3', delivery: 'direct' },
  { database: 'sqlite', store: 's3', delivery: 'proxy' },
  { database: 'postgres', store: 'disk', delivery: '' },
] as const;
const DAY_MS = 24 * 60 * 60 * 1000;
const LONG = { minLength: 12, maxLength: 18 };
/** Where every file is fetched from a store after each step, and only one sequence is tried. */
const SHORT = { minLength: 5, maxLength: 8 };

const sandboxPort = await findFreePort();
/** Each buyer has an address of their own, because the checkouts of one are limited. */
const env = {
  PAYMENTS: 'sandbox',
  SANDBOX_PORT: String(sandboxPort),
  TRUSTED_PROXIES: '127.0.0.1',
};

interface SoldFile {
  key: string;
  sha256: string;
  isDeleted?: true;
}

type Place = Pick<App, 'origin' | 'env'>;
type Seller = Awaited<ReturnType<typeof signUp>>;

interface Buyer {
  person: Person;
  version: number;
  session: string;
  /** Signed while the grant was active. */
  download: string;
  hasEnded?: true;
}

const ACTS = [
  ...['buy', 'replace', 'delete file', 'restore'].flatMap((act) => [act, act]),
  ...[
    'give',
    'reorder',
    'sell again',
    'delete',
    'take down or put back',
    'refund',
    'delete account',
  ],
] as (keyof Shop['acts'])[];
const step = fc.record({ act: fc.constantFrom(...ACTS), choice: fc.nat(99) });

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function createBuyer(app: Place): Person {
  const person = createPerson(app);
  const address = [10, randomInt(256), randomInt(256), randomInt(256)].join('.');
  return {
    ...person,
    fetch: (path, init = {}) => {
      const headers = new Headers(init.headers);
      headers.set('x-forwarded-for', address);
      return person.fetch(path, { ...init, headers });
    },
  };
}

/** A link, whatever is done to it, and what everybody should be able to download of it. */
class Shop {
  readonly app: Place;
  readonly seller: Seller;
  readonly files: SoldFile[] = [];
  /** What was put on sale, the first as version 1. */
  readonly versions: SoldFile[][] = [];
  readonly buyers: Buyer[] = [];
  /** They paid, and have nothing of it. */
  readonly givers: Person[] = [];
  isDeleted = false;
  isTakenDown = false;
  hasAccount = true;
  id = '';

  constructor(app: Place, seller: Seller) {
    this.app = app;
    this.seller = seller;
  }

  get onSale(): SoldFile[] {
    return this.versions.at(-1) ?? [];
  }

  async open(): Promise<void> {
    const files = [await this.upload(), await this.upload()];
    const { id } = await createLink(this.seller, { files: files.map(({ key }) => key) });
    this.id = id;
    this.versions.push(files);
  }

  private async upload(): Promise<SoldFile> {
    const bytes = new Uint8Array(randomBytes(100 + randomInt(400)));
    const { key } = await uploadFile(this.seller, { name: 'part.bin', bytes });
    const file = { key, sha256: sha256(bytes) };
    this.files.push(file);
    return file;
  }

  private async update(input: object): Promise<unknown> {
    const { id } = this;
    const { errors } = await askGraphql(this.seller, UPDATE_LINK, { input: { id, ...input } });
    return errors?.[0]?.extensions?.code;
  }

  /** Sells this content, which is a new version unless it is sold already. */
  private async sell(files: SoldFile[], input: object): Promise<void> {
    if (this.isDeleted) return;
    expect(await this.update(input)).toBe(
      files.some(({ isDeleted }) => isDeleted) ? 'FILE_DELETED' : undefined,
    );
    const isSame = files.map(({ key }) => key).join() === this.onSale.map(({ key }) => key).join();
    if (!isSame && !files.some(({ isDeleted }) => isDeleted)) this.versions.push(files);
  }

  /** Whoever has what was paid for now. */
  private async keep(person: Person, paid: Response): Promise<void> {
    const session = new URL(paid.headers.get('location') ?? '').searchParams.get('session_id');
    await waitUntilUnlocked(person, this.id);
    const [first] = this.onSale;
    const download = await storageUrl(person, first?.key ?? '');
    const version = this.versions.length;
    this.buyers.push({ person, version, session: session ?? '', download });
  }

  readonly acts = {
    buy: async () => {
      if (this.isDeleted || this.isTakenDown || this.buyers.length === 4) return;
      const person = createBuyer(this.app);
      await this.keep(person, await payAt(person, await checkOut(person, this.id)));
    },
    give: async () => {
      if (this.isDeleted || this.isTakenDown || this.buyers.length === 4) return;
      const giver = createBuyer(this.app);
      this.givers.push(giver);
      const email = `${randomBytes(6).toString('hex')}@example.com`;
      const wish = { paywallId: this.id, gift: { email } };
      const begun = await postJson(giver, '/prod/checkout', wish);
      const paid = await payAt(giver, (await readJson<{ url: string }>(begun)).url);
      const { text } = await readMail(this.app, email);
      const person = createBuyer(this.app);
      await person.fetch(/\/access\/\S+/.exec(text)?.[0] ?? '', { method: 'POST' });
      await this.keep(person, paid);
    },
    replace: async (choice: number) => {
      if (this.isDeleted) return;
      const files = [await this.upload(), ...this.onSale.slice(0, choice % 2)];
      await this.sell(files, { files: files.map(({ key }) => key) });
    },
    reorder: async () => {
      const files = this.onSale.toReversed();
      await this.sell(files, { files: files.map(({ key }) => key) });
    },
    'sell again': async (choice: number) => {
      const version = 1 + (choice % this.versions.length);
      await this.sell(this.versions[version - 1] ?? [], { version });
    },
    'delete file': async (choice: number) => {
      const file = this.files[choice % this.files.length];
      if (!file || file.isDeleted || !this.hasAccount) return;
      const isBought = this.buyers.some(({ version }) =>
        this.versions[version - 1]?.includes(file),
      );
      const isNeeded = isBought || (!this.isDeleted && this.onSale.includes(file));
      const { status } = await deleteFile(this.seller, file.key);
      expect(status).toBe(isNeeded ? 409 : 204);
      if (!isNeeded) file.isDeleted = true;
    },
    delete: async () => {
      if (!this.isDeleted) await deleteLink(this.seller, this.id);
      this.isDeleted = true;
    },
    restore: async () => {
      const { errors } = await askGraphql(this.seller, RESTORE_LINK, { id: this.id });
      const refusal = errors?.[0]?.extensions?.code;
      if (!this.hasAccount) return expect(refusal).toBe('UNAUTHORIZED');
      if (!this.isDeleted) return expect(refusal).toBe('LINK_NOT_FOUND');
      if (this.isTakenDown) return expect(refusal).toBe('FORBIDDEN');
      const isEmptied = this.onSale.some(({ isDeleted }) => isDeleted);
      expect(refusal).toBe(isEmptied ? 'FILE_DELETED' : undefined);
      this.isDeleted = isEmptied;
    },
    'take down or put back': async () => {
      this.isTakenDown = !this.isTakenDown;
      const at = this.isTakenDown ? 1 : null;
      await withDatabase(this.app, (db) =>
        db.updateTable('link').set({ taken_down_at: at }).where('id', '=', this.id).execute(),
      );
    },
    refund: async (choice: number) => {
      const buyer = this.buyers[choice % 4];
      if (!buyer || buyer.hasEnded) return;
      const stripe = stripeOf(sandboxPort);
      const { payment_intent } = await stripe.checkout.sessions.retrieve(buyer.session);
      await stripe.refunds.create({ payment_intent: String(payment_intent) });
      await withDatabase(this.app, (db) =>
        eventually(async () => {
          const { state } = await db
            .selectFrom('access_grant')
            .innerJoin('purchase', 'purchase.id', 'access_grant.purchase_id')
            .innerJoin('payment', 'payment.id', 'purchase.payment_id')
            .where('payment.session_id', '=', buyer.session)
            .select('access_grant.state')
            .executeTakeFirstOrThrow();
          expect(state).toBe('ended');
        }),
      );
      buyer.hasEnded = true;
    },
    'delete account': async (choice: number) => {
      if (!this.hasAccount || choice > 30) return;
      await withDatabase(this.app, (db) =>
        db
          .updateTable('user_balance')
          .set({ balance_cents: 0 })
          .where('owner_id', '=', ({ selectFrom }) =>
            selectFrom('link').where('id', '=', this.id).select('owner_id'),
          )
          .execute(),
      );
      const { email } = this.seller;
      const answer = await auth(this.seller, 'delete-user', {
        confirmation: email,
        password: PASSWORD,
      });
      expect(answer.status).toBe(200);
      this.hasAccount = false;
      this.isDeleted = true;
    },
  };

  /** What a person gets of a version, by the hash of each of its files; null where there is none. */
  private async download(person: Person, version: number, name: string): Promise<unknown[]> {
    const files = this.versions[version - 1] ?? [];
    return Promise.all(
      files.map(async (_file, index) => {
        const answer = await person.fetch(`/p/${this.id}/content?file=${index}${name}`);
        const target = answer.headers.get('location') ?? '';
        if (!target.startsWith('/download/')) return null;
        const sent = await person.fetch(target);
        const elsewhere = sent.headers.get('location');
        return sha256(await (elsewhere ? await fetch(elsewhere) : sent).bytes());
      }),
    );
  }

  async check(): Promise<void> {
    for (const { person, version, download, hasEnded } of this.buyers) {
      const isActive = !hasEnded && !this.isTakenDown;
      const hashes = (number: number) => this.versions[number - 1]?.map((file) => file.sha256);
      const nothing = (number: number) => this.versions[number - 1]?.map(() => null);
      expect(await this.download(person, version, '')).toEqual(
        (isActive ? hashes : nothing)(version),
      );
      expect((await fetch(download)).status).toBe(isActive ? 200 : 403);
      for (const number of this.versions.keys().map((index) => index + 1)) {
        const isOnSale = number === this.versions.length && !this.isDeleted;
        const isTheirs = isActive && (number === version || isOnSale);
        const got = await this.download(person, number, `&version=${number}`);
        expect(got).toEqual((isTheirs ? hashes : nothing)(number));
      }
      const theirs = isActive
        ? [...(this.versions[version - 1] ?? []), ...(this.isDeleted ? [] : this.onSale)]
        : [];
      expect(await this.readable(person)).toEqual(
        this.files.filter((file) => theirs.includes(file)),
      );
    }
    for (const stranger of [createPerson(this.app), ...this.givers]) {
      expect(await this.download(stranger, this.versions.length, '')).not.toContainEqual(
        expect.any(String),
      );
      expect(await this.readable(stranger)).toEqual([]);
    }
  }

  /** The files that a person gets an address of. */
  private async readable(person: Person): Promise<SoldFile[]> {
    const headers = await publishableKey(this.app);
    const statuses = await Promise.all(
      this.files.map(async ({ key }) => {
        const path = `/storage/url?key=${encodeURIComponent(key)}`;
        return (await person.fetch(path, { headers })).status;
      }),
    );
    expect(statuses.filter((status) => status !== 200 && status !== 403)).toEqual([]);
    return this.files.filter((_file, index) => statuses[index] === 200);
  }

  /** Lets months pass for everything that is swept away. */
  async sweep(): Promise<void> {
    const { dataDir, s3 } = readConfig(this.app.env);
    await withDatabase(this.app, async (db) => {
      const now = () => Date.now() + days * DAY_MS;
      let days = 0;
      const store = await openStore({ dataDir, s3, db: () => db, now });
      for (days of [1, 80, 160]) {
        await sweepAbandonedUploads({ db, store, now });
        await sweepUnsoldFiles({ db, store, now });
        await sweepUnneededBlobs({ db, store, now });
      }
    });
  }
}

describe.each(
  // The other two only where there is time.
  PLACES.slice(0, RUNS > 1 ? 4 : 2),
)('whatever is done to a link on $database, with files on $store', (place) => {
  if (place.store === 's3') needS3();
  let app: App;

  beforeAll(async () => {
    const bucket = place.store === 's3' ? await createBucket() : null;
    if (place.store === 's3' && !bucket) return;
    const { database, delivery } = place;
    const files = bucket && { ...s3Settings(bucket), S3_DELIVERY: delivery };
    app = await startApp({ database, env: { ...env, ...files } });
    console.log(`PADLINK_RIGHTS_SEED=${SEED} repeats these sequences.`);
  });
  afterAll(() => app?.stop());

  test(
    'every active grant brings the bytes that were bought, and nothing else does',
    async () => {
      const length = RUNS === 1 && place.store === 's3' ? SHORT : LONG;
      const sequences = fc.asyncProperty(fc.array(step, length), run);
      async function run(steps: { act: keyof Shop['acts']; choice: number }[]) {
        const shop = new Shop(app, await signUp(app));
        await shop.open();
        await shop.acts.buy();
        for (const { act, choice } of steps) {
          await shop.acts[act](choice);
          await shop.check();
        }
        await shop.sweep();
        await shop.check();
      }
      await fc.assert(sequences, { numRuns: RUNS, seed: SEED, endOnFailure: true });
    },
    300_000 + RUNS * 120_000,
  );
});
