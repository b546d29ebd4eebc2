import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { enqueue } from '../../server/ground/outbox/jobs.ts';
import {
  announceUpload,
  askGraphql,
  createLink,
  graphql,
  publishableKey,
  readMail,
  seeLink,
  sellFile,
  sendBytes,
  signUp,
  storageUrl,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { checkOut, payAt, payFor } from '../factories/payment.ts';
import { deleteLink, RESTORE_LINK } from '../factories/stored-files.ts';
import { eventually } from '../harness/eventually.ts';
import { connectLive } from '../harness/live-socket.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, postJson } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { runCli } from '../harness/run-command.ts';
import { createBucket, needS3, s3Settings } from '../harness/s3.ts';
import { spawnApp } from '../harness/spawn-app.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const MEBIBYTE = 1024 ** 2;
/** Far more than the system keeps for a client that does not read. */
const SIZE = 48 * MEBIBYTE;

const ON_UPDATE =
  'subscription ($id: ID) { onUpdatePaywallLink(id: $id) { unlocked title hold files { key } } }';
const ON_DELETE =
  'subscription ($owner: String) { onDeletePaywallLink(owner: $owner) { id title } }';

/** A download of which nothing more is read until it is asked for. */
async function beginDownload(url: string, headers: Record<string, string> = {}) {
  const request = get(url, { headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.pause();
  return {
    /** How many bytes came in all. */
    async readRest(): Promise<number> {
      let bytes = 0;
      try {
        for await (const chunk of response) bytes += (chunk as Buffer).length;
      } catch {
        // It was cut.
      }
      return bytes;
    },
  };
}

/** What sends bytes of a bucket from where they can be cut off. */
const inBucket = async () => {
  const bucket = await createBucket();
  return bucket ? { ...s3Settings(bucket), S3_DELIVERY: 'proxy' } : {};
};
const BUCKETS = { sqlite: await inBucket(), postgres: await inBucket() };

describe.each(['a folder', 'a bucket'])('of files in %s,', (store) =>
  describeOnSqliteFirst('a take-down', (database) => {
    if (store === 'a bucket') needS3();
    const app = useApp({
      database,
      env: { OPERATOR_EMAILS: 'boss@example.com', ...(store === 'a bucket' && BUCKETS[database]) },
    });
    let seller: Awaited<ReturnType<typeof signUp>>;
    let bytes: Uint8Array<ArrayBuffer>;

    beforeAll(async () => {
      seller = await signUp(app);
      bytes = new Uint8Array(randomBytes(SIZE));
    });

    const takeDown = async (id: string, ...options: string[]) => {
      const words = ['--category', 'fraud', ...options, '--reason', 'It is not what it says.'];
      const { status, stdout, stderr } = await runCli(app.env, 'link', 'take-down', id, ...words);
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toContain('The link was taken down.');
    };
    const restore = (id: string) =>
      runCli(app.env, 'link', 'restore', id, '--reason', 'A mistake.');

    async function buy(email: string, id: string): Promise<Person> {
      const buyer = createPerson(app);
      const answer = await payAt(buyer, await checkOut(buyer, id), undefined, email);
      expect(answer.status).toBe(303);
      await waitUntilUnlocked(buyer, id);
      return buyer;
    }

    test('ends everything at once, tells who it concerns, refuses the bytes, and can be undone', async () => {
      const { key } = await uploadFile(seller, { name: 'film.bin', bytes });
      const { id, owner } = await createLink(seller, { key, title: 'A zebra film' });
      const early = await buy('early@example.com', id);
      const waiting = createPerson(app);
      await checkOut(waiting, id);
      const download = await storageUrl(early, key);
      const own = await storageUrl(seller, key);
      const running = await Promise.all([
        beginDownload(download),
        beginDownload(download, { range: 'bytes=10-' }),
        beginDownload(own),
      ]);
      const live = await connectLive(app, { keys: await publishableKey(app) });
      await live.subscribe('page', ON_UPDATE, { id });
      await live.subscribe('list', ON_DELETE, { owner });
      expect((await createPerson(app).fetch(`/p/${id}`)).status).toBe(200);

      await takeDown(id, '--refund-days', '1');
      const told = { unlocked: false, title: null, files: null };
      const hold = 'The operator of this site took this link down.';
      await eventually(() => expect(live.answers('page')).toMatchObject([{ ...told, hold }]));
      await eventually(() => expect(live.answers('list')).toMatchObject([{ id, title: null }]));
      for (const one of running) expect(await one.readRest()).toBeLessThan(SIZE - 10);

      const stranger = createPerson(app);
      for (const person of [stranger, early, seller]) {
        expect(await seeLink(person, id)).toBeNull();
        expect((await person.fetch(`/p/${id}`)).status).toBe(404);
        for (const url of [download, own]) expect((await person.fetch(url)).status).toBe(403);
        const content = await person.fetch(`/p/${id}/content`);
        expect(content.headers.get('location')).toBe(`/p/${id}`);
      }
      for (const path of ['/explore', '/explore?q=zebra', '/explore.atom', '/sitemap/pages.xml']) {
        expect(await (await stranger.fetch(path)).text()).not.toContain(id);
      }
      expect((await stranger.fetch(`/p/${id}/card.png`)).status).toBe(404);
      expect((await postJson(stranger, '/prod/checkout', { paywallId: id })).status).toBe(404);
      await eventually(() =>
        withDatabase(app, async (db) => {
          const states = await db
            .selectFrom('purchase')
            .where('link_id', '=', id)
            .select('state')
            .execute();
          expect(states.map(({ state }) => state).sort()).toEqual(['expired', 'settled']);
          const grants = await db
            .selectFrom('access_grant')
            .where('link_id', '=', id)
            .selectAll()
            .execute();
          expect(grants).toMatchObject([{ state: 'ended' }]);
        }),
      );
      expect((await readMail(app, seller.email, /was taken down/)).text).toContain(
        'Reason: Fraud, or not as described. It is not what it says.',
      );
      expect((await readMail(app, 'early@example.com', /No longer available/)).text).toContain(
        'We are refunding your payment in full.',
      );
      await readMail(app, 'early@example.com', /refund/i);
      expect((await runCli(app.env, 'link', 'take-down', id, '--reason', 'x')).stderr).toBe(
        'This link is already taken down.\n',
      );

      // The same bytes, by another account, in another name.
      const other = await signUp(app);
      const again = await announceUpload(other, { name: 'other.txt', size: SIZE });
      const location = again.headers.get('location') ?? '';
      const refused = await sendBytes(other, location, bytes);
      expect([refused.status, await refused.text()]).toEqual([
        409,
        expect.stringContaining('the operator of this site took its content down'),
      ]);
      const head = { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } };
      expect((await other.fetch(location, head)).status).toBe(404);
      const create =
        'mutation ($input: CreatePaywallLinkInput!) { createPaywallLink(input: $input) { id } }';
      const input = { type: 'file', key, price: 500 };
      const { errors } = await askGraphql(seller, create, { input });
      expect(errors?.[0]?.extensions?.code).toBe('FILE_REFUSED');

      expect((await restore(id)).stdout).toContain('The link was restored.');
      expect((await readMail(app, seller.email, /was restored/)).text).toContain('A zebra film');
      expect((await stranger.fetch(`/p/${id}`)).status).toBe(200);
      expect(await seeLink(early, id)).toMatchObject({ unlocked: false });
      expect((await restore(id)).status).toBe(1);
      await uploadFile(other, { name: 'other.txt', bytes });
    });

    // The rest is the same wherever the files are.
    if (store === 'a bucket') return;

    test('follows from what visitors report, without an account and up to a limit', async () => {
      const { id } = await createLink(seller, { type: 'link', url: 'https://a.example/' });
      const visitor = createPerson(app);
      const address = `/p/${id}/report`;
      expect(await readPage(visitor, `/p/${id}`)).toContain('Report this link');
      const report = (fields: Record<string, string>) =>
        visitor.fetch(address, { method: 'POST', body: new URLSearchParams(fields) });
      const words = 'It shows my drawings.';
      expect((await report({ reason: 'copyright', words: ' ' })).status).toBe(400);
      expect((await report({ reason: 'nonsense', words })).status).toBe(400);
      expect((await report({ reason: 'copyright', words, email: 'none' })).status).toBe(400);
      const sent = await report({ reason: 'copyright', words, email: 'me@example.com' });
      expect([sent.status, sent.headers.get('location')]).toEqual([303, `${address}?sent=yes`]);
      const said = await readMail(app, 'boss@example.com', /^Waiting for you: 1 report$/);
      expect(said.text).toContain('npm run cli -- link reports');
      const { stdout } = await runCli(app.env, 'link', 'reports');
      expect(stdout).toContain(`${id}  copyright  me@example.com\n    ${words}\n`);
      await takeDown(id);
      expect((await runCli(app.env, 'link', 'reports')).stdout).toBe('There are none.\n');
      // The server hears of what a command did a moment later.
      await eventually(async () =>
        expect(await (await visitor.fetch(`/p/${id}`)).text()).toContain(
          'The operator of this site took this link down.',
        ),
      );
      expect((await visitor.fetch(address)).status).toBe(404);
      const statuses: number[] = [];
      for (let count = 0; count < 10; count += 1) {
        statuses.push((await report({ reason: 'copyright', words })).status);
      }
      expect(statuses).toContain(429);
    });

    test('leaves what nobody is refunded for to its buyers once it is undone', async () => {
      const small = new Uint8Array(randomBytes(100));
      const { key } = await uploadFile(seller, { name: 'a.bin', bytes: small });
      const { id } = await createLink(seller, { key });
      const twin = await uploadFile(seller, { name: 'twin.bin', bytes: small });
      const deleted = await createLink(seller, { key: twin.key });
      await deleteLink(seller, deleted.id);
      const buyer = await buy('keeps@example.com', id);
      await takeDown(id);
      // What the sale leads to may come only now.
      await withDatabase(app, async (db) => {
        const { id: purchaseId } = await db
          .selectFrom('purchase')
          .where('link_id', '=', id)
          .select('id')
          .executeTakeFirstOrThrow();
        await enqueue(db, 'follow-settlement', { purchaseId }, Date.now());
        const waiting = db
          .selectFrom('job')
          .where('kind', 'in', ['follow-settlement', 'refund-payment'])
          .select('kind');
        await eventually(async () => expect(await waiting.execute()).toEqual([]));
      });
      expect((await readMail(app, 'keeps@example.com', /No longer available/)).text).not.toContain(
        'refund',
      );
      const { errors } = await askGraphql(seller, RESTORE_LINK, { id: deleted.id });
      expect(errors?.[0]?.extensions?.code).toBe('FILE_REFUSED');
      expect(await restore(id)).toMatchObject({ status: 0, stderr: '' });
      expect(await seeLink(buyer, id)).toMatchObject({ unlocked: true, key });
      await graphql(seller, RESTORE_LINK, { id: deleted.id });
    });

    test('is decided by operators over the API, and its seller objects once', async () => {
      const boss = await signUp(app, { email: 'boss@example.com' });
      const { id } = await createLink(seller, { type: 'link', url: 'https://a.example/' });
      // Not by the form: how often it may be sent was used up above.
      const report = () =>
        withDatabase(app, (db) =>
          db
            .insertInto('report')
            .values({
              id: randomUUID(),
              link_id: id,
              reason: 'fraud',
              words: 'Not what it says.',
              email: null,
              created_at: Date.now(),
              closed_at: null,
            })
            .execute(),
        );
      const open = '{ listReports(open: true) { items { id linkId words } } }';
      const openReports = async () =>
        (await graphql<{ listReports: { items: { id: string }[] } }>(boss, open)).listReports.items;
      await report();
      const [reported] = await openReports();
      expect(reported).toMatchObject({ linkId: id, words: 'Not what it says.' });
      const dismiss = 'mutation ($id: ID!) { dismissReport(id: $id, words: "It is.") }';
      await graphql(boss, dismiss, { id: reported?.id });
      expect(await openReports()).toEqual([]);
      expect((await askGraphql(boss, dismiss, { id: reported?.id })).errors).toHaveLength(1);

      const object =
        'mutation ($id: ID!, $words: String!) { objectToTakeDown(id: $id, words: $words) }';
      const words = 'It is <b>mine</b>.';
      const early = await askGraphql(seller, object, { id, words });
      expect(early.errors?.[0]?.extensions?.code).toBe('LINK_NOT_FOUND');
      await report();
      await graphql(
        boss,
        'mutation ($id: ID!) { takeDownLink(id: $id, reason: "fraud", words: "A zebra is not.") }',
        { id },
      );
      expect(await openReports()).toEqual([]);
      expect((await createPerson(app).fetch(`/p/${id}`)).status).toBe(404);
      const dashboard = await readPage(seller, '/dashboard');
      expect(dashboard).toContain('A zebra is not.');
      expect(dashboard).toContain('You can object once.');
      expect(await readPage(await signUp(app), '/dashboard')).not.toContain('A zebra is not.');

      const foreign = await askGraphql(await signUp(app), object, { id, words });
      expect(foreign.errors?.[0]?.extensions?.code).toBe('LINK_NOT_FOUND');
      const empty = await askGraphql(seller, object, { id, words: ' ' });
      expect(empty.errors?.[0]?.extensions?.code).toBe('INVALID_INPUT');
      // As in another hour: one email is sent in each.
      await withDatabase(app, (db) => db.deleteFrom('report_notice').execute());
      await graphql(seller, object, { id, words });
      await readMail(app, 'boss@example.com', /^Waiting for you: 1 objection$/);
      const again = await askGraphql(seller, object, { id, words: 'Again.' });
      expect(again.errors?.[0]?.message).toBe('You have already objected.');
      const waiting = '{ listTakeDowns(waiting: true) { items { linkId objection } } }';
      const waits = { listTakeDowns: { items: [{ linkId: id, objection: words }] } };
      expect(await graphql(boss, waiting)).toEqual(waits);
      const { stdout } = await runCli(app.env, 'link', 'reports');
      expect(stdout).toContain(`${id}  fraud  objection of its seller\n    ${words}\n`);
      const answer = 'mutation ($id: ID!) { answerObjection(id: $id, words: "It stays down.") }';
      await graphql(boss, answer, { id });
      expect((await readMail(app, seller.email, /objection was answered/)).text).toContain(
        `your link Paid link ${id} stays down. It stays down.`,
      );
      expect((await askGraphql(boss, answer, { id })).errors).toHaveLength(1);
      expect(await graphql(boss, waiting)).toEqual({ listTakeDowns: { items: [] } });
      expect(await readPage(seller, '/dashboard')).toContain('It stays down.');
      await graphql(boss, 'mutation ($id: ID!) { undoTakeDown(id: $id, words: "It is.") }', { id });
      expect((await createPerson(app).fetch(`/p/${id}`)).status).toBe(200);
      expect(await readPage(seller, '/dashboard')).not.toContain('A zebra is not.');
      const acts = `{ listActs(subjectKind: "link", subjectId: "${id}") { items { act reason } } }`;
      expect(await graphql(boss, acts)).toEqual({
        listActs: {
          items: [
            { act: 'link.restored', reason: 'It is.' },
            { act: 'objection.answered', reason: 'It stays down.' },
            { act: 'link.taken-down', reason: 'A zebra is not.' },
          ],
        },
      });
    });

    test('tells operators of a refund that only they can make', async () => {
      const { id } = await sellFile(seller);
      await buy('elsewhere@example.com', id);
      await withDatabase(app, (db) =>
        db
          .updateTable('purchase')
          .set({ provider_account: 'acct_elsewhere' })
          .where('link_id', '=', id)
          .execute(),
      );
      await takeDown(id, '--refund-days', '1');
      await eventually(async () => {
        const { stdout } = await runCli(app.env, 'jobs', 'list');
        expect(stdout).toContain('refund-taken-down');
        expect(stdout).toContain('It was paid through another account at the payment provider.');
      });
      const told = await readMail(app, 'elsewhere@example.com', /No longer available/);
      expect(told.text).not.toContain('refund');
    });

    test('gives back what is paid after it', async () => {
      const { key } = await uploadFile(seller, {
        name: 'b.bin',
        bytes: new Uint8Array(randomBytes(100)),
      });
      const { id } = await createLink(seller, { key });
      const buyer = createPerson(app);
      const checkout = await checkOut(buyer, id);
      // As a take-down in the very moment of the payment, whose job has not ended the checkout yet.
      await withDatabase(app, (db) =>
        db.updateTable('link').set({ taken_down_at: 1 }).where('id', '=', id).execute(),
      );
      await payAt(buyer, checkout, undefined, 'late@example.com');
      expect((await readMail(app, 'late@example.com', /is being refunded/)).text).toContain(
        'take Paid link',
      );
      expect(await payFor(createPerson(app), id).catch(String)).toContain('404');
    });
  }),
);

describe('a take-down in one of two processes', () => {
  const first = useApp({ database: 'postgres' });

  test('cuts a download that runs in the other', { tags: 'long' }, async () => {
    const { DATABASE_URL = '', APP_SECRET = '', DATA_DIR = '' } = first.env;
    const second = await spawnApp({ env: { DATABASE_URL, APP_SECRET, DATA_DIR } });
    try {
      const seller = await signUp(first);
      const bytes = new Uint8Array(randomBytes(SIZE));
      const { key } = await uploadFile(seller, { name: 'film.bin', bytes });
      const { id } = await createLink(seller, { key, unlocked: true });
      const url = new URL(await storageUrl(createPerson(first), key));
      const whole = await beginDownload(new URL(url.pathname, second.origin).href);
      const cut = await beginDownload(new URL(url.pathname, second.origin).href);
      expect(await whole.readRest()).toBe(SIZE);
      await runCli(first.env, 'link', 'take-down', id, '--reason', 'x');
      expect((await createPerson(second).fetch(`/p/${id}`)).status).toBe(404);
      expect(await cut.readRest()).toBeLessThan(SIZE);
    } finally {
      expect(await second.stop()).toBe(0);
    }
  });
});
