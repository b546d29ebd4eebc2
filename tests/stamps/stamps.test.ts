import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import {
  createLink,
  graphql,
  publishableKey,
  readMail,
  signUp,
  updateLink,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { CARDS, checkOut, payAt } from '../factories/payment.ts';
import { type Bytes, pdf, signedPdf } from '../factories/pdf.ts';
import { readPdf } from '../factories/read-pdf.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, postJson, readJson } from '../harness/person.ts';
import { runPython } from '../harness/run-python.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';
import { findStamper } from './find-stamper.ts';

const WORDS = Buffer.from('hello') as Bytes;
const UNZIP = `
import io, json, sys, zipfile
archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
assert archive.testzip() is None
print(json.dumps({name: archive.read(name).hex() for name in archive.namelist()}))
`;

describeOnSqliteFirst('a link whose PDFs are stamped', (database) => {
  const app = useApp({ database });
  let seller: Person;
  let book: Bytes;
  let id: string;

  const upload = async (name: string, bytes: Bytes) =>
    (await uploadFile(seller, { name, bytes })).key;

  beforeAll(async () => {
    seller = await signUp(app);
    // A copy is written anew: without what nobody sees, it is smaller than its file.
    const [head, ...rest] = pdf(2).toString('latin1').split('\n');
    book = Buffer.from([head, `%${' '.repeat(50_000)}`, ...rest].join('\n'), 'latin1') as Bytes;
    const keys = [await upload('book.pdf', book), await upload('words.txt', WORDS)];
    id = (await createLink(seller, { key: keys[0], files: keys, stamp: true })).id;
  });

  async function buy(email: string, linkId = id) {
    const buyer = createPerson(app);
    await payAt(buyer, await checkOut(buyer, linkId), CARDS.pays, email);
    await waitUntilUnlocked(buyer, linkId);
    return buyer;
  }
  const wayTo = async (person: Person, path = 'content', linkId = id) =>
    app.origin + (await person.fetch(`/p/${linkId}/${path}`)).headers.get('location');
  async function get(address: string, headers: Record<string, string> = {}) {
    const answer = await fetch(address, { headers });
    expect([200, 206]).toContain(answer.status);
    return Buffer.from(await answer.arrayBuffer());
  }
  const download = async (person: Person, path?: string, linkId?: string) =>
    get(await wayTo(person, path, linkId));
  async function orderOf(email: string): Promise<string> {
    return withDatabase(app, async (db) => {
      const row = await db
        .selectFrom('purchase')
        .where(({ fn }) => fn.coalesce('gift_email', 'buyer_email'), '=', email)
        .select('id')
        .executeTakeFirstOrThrow();
      return row.id;
    });
  }
  async function expectStamp(bytes: Buffer, email: string) {
    const stamp = `${email} · ${await orderOf(email)}`;
    const pages = await readPdf(bytes);
    expect(pages).toHaveLength(2);
    for (const page of pages) {
      expect(page).toContain('Chapter one');
      expect(page).toContain(stamp);
    }
  }
  const see = async (person: Person, linkId = id) =>
    (
      await graphql<{
        getPaywallLink: {
          stamp: boolean;
          stampFailed: boolean;
          summary: string[];
          files: { name: string; sha256: string | null }[] | null;
        };
      }>(
        person,
        '{ getPaywallLink(id: "ID") { stamp stampFailed summary files { name sha256 } } }'.replace(
          'ID',
          linkId,
        ),
        {},
        person === seller ? {} : await publishableKey(app),
      )
    ).getPaywallLink;

  test('gives each buyer their own copy, and its owner the file', async () => {
    const [ana, bob] = [await buy('ana@example.com'), await buy('bob@example.com')];
    await expectStamp(await download(ana), 'ana@example.com');
    await expectStamp(await download(bob, 'content?open=1'), 'bob@example.com');
    expect(await download(ana, 'content?file=1')).toEqual(WORDS);
    expect(await download(seller)).toEqual(book);
    await withDatabase(app, (db) =>
      db.updateTable('link').set({ stamp: 0 }).where('id', '=', id).execute(),
    );
    expect(await download(ana)).toEqual(book);
    await withDatabase(app, (db) =>
      db.updateTable('link').set({ stamp: 1 }).where('id', '=', id).execute(),
    );
  });

  test('says so before the payment, and keeps the sums of its files to itself', {
    tags: 'long',
  }, async () => {
    const visitor = createPerson(app);
    expect((await see(visitor)).summary).toContain('Stamped with your email address');
    expect(await (await visitor.fetch(`/p/${id}`)).text()).toContain(
      'Stamped with your email address',
    );
    const sum = createHash('sha256').update(WORDS).digest('hex');
    expect((await see(await buy('cleo@example.com'))).files).toEqual([
      { name: 'book.pdf', sha256: null },
      { name: 'words.txt', sha256: sum },
    ]);
    expect((await see(seller)).files?.[0]?.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test('goes on where a download broke off, and counts as delivered once all of it went out', {
    tags: 'long',
  }, async () => {
    const dora = await buy('dora@example.com');
    const way = await wayTo(dora);
    const whole = await get(way);
    const head = await fetch(way, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(whole.length));
    expect(whole.length).toBeLessThan(book.length);
    const other = await buy('eve@example.com');
    const path = await wayTo(other);
    const first = await fetch(path, { headers: { range: 'bytes=0-99' } });
    const etag = first.headers.get('etag') ?? '';
    const rest = await get(path, { range: 'bytes=100-', 'if-range': etag });
    await expectStamp(
      Buffer.concat([Buffer.from(await first.arrayBuffer()), rest]),
      'eve@example.com',
    );
    await download(other, 'content?file=1');
    await eventually(async () => {
      const { listSales } = await graphql<{ listSales: { items: { delivery: object }[] } }>(
        seller,
        '{ listSales { items { delivery { state percent } } } }',
      );
      expect(listSales.items[0]?.delivery).toEqual({ state: 'delivered', percent: 100 });
    });
  });

  test('is stamped in an archive too, whose sums are those of the copies', {
    tags: 'long',
  }, async () => {
    const finn = await buy('finn@example.com');
    const read = runPython(UNZIP, { input: await download(finn, 'content.zip') });
    const files: Record<string, string> = JSON.parse(read);
    const copy = Buffer.from(files['book.pdf'] ?? '', 'hex');
    await expectStamp(copy, 'finn@example.com');
    const sums = Buffer.from(files.SHA256SUMS ?? '', 'hex').toString();
    expect(sums).toContain(`${createHash('sha256').update(copy).digest('hex')}  book.pdf`);
    await expectStamp(copy, 'finn@example.com');
    const again = JSON.parse(
      runPython(UNZIP, { input: await download(seller, 'content.zip') }),
    ) as Record<string, string>;
    expect(Buffer.from(again['book.pdf'] ?? '', 'hex')).toEqual(book);
  });

  test('carries the recipient of a gift', { tags: 'long' }, async () => {
    const giver = createPerson(app);
    const gift = { email: 'gina@example.com' };
    const { url } = await readJson<{ url: string }>(
      await postJson(giver, '/prod/checkout', { paywallId: id, gift }),
    );
    await payAt(giver, url, CARDS.pays, 'giver@example.com');
    const { text } = await readMail(app, gift.email, /gift for you/);
    const recipient = createPerson(app);
    await recipient.fetch(/\/access\/\S+/.exec(text)?.[0] ?? '', { method: 'POST' });
    await expectStamp(await download(recipient), gift.email);
  });

  test('delivers a PDF that cannot be stamped as it was bought, and tells its owner', async () => {
    const broken = signedPdf();
    const { id: other } = await createLink(seller, {
      key: await upload('signed.pdf', broken),
      stamp: true,
    });
    await eventually(async () => expect((await see(seller, other)).stampFailed).toBe(true));
    expect(await see(createPerson(app), other)).toMatchObject({
      stampFailed: false,
      summary: [expect.stringMatching(/^PDF document/)],
    });
    const hana = await buy('hana@example.com', other);
    expect(await download(hana, 'content', other)).toEqual(broken);
    await updateLink(seller, { id: other, key: await upload('whole.pdf', pdf(2)) });
    expect(await see(seller, other)).toMatchObject({ stamp: true, stampFailed: false });
  });

  test('is a link with a PDF: nothing else can be stamped', { tags: 'long' }, async () => {
    const text = await upload('only.txt', WORDS);
    await expect(createLink(seller, { key: text, stamp: true })).rejects.toThrow(
      'Only a PDF can be stamped, and this link sells none.',
    );
    const { id: other } = await createLink(seller, { key: await upload('a.pdf', pdf(1)) });
    expect((await see(seller, other)).stamp).toBe(false);
    await updateLink(seller, { id: other, stamp: true });
    expect((await see(seller, other)).stamp).toBe(true);
    await updateLink(seller, { id: other, title: 'A title' });
    expect((await see(seller, other)).stamp).toBe(true);
    // The choice stays: an earlier version, and a later one, may hold a PDF.
    await updateLink(seller, { id: other, key: text });
    expect(await see(seller, other)).toMatchObject({
      stamp: true,
      summary: ['Text, 5 bytes'],
    });
    await updateLink(seller, { id: other, stamp: false });
    await expect(updateLink(seller, { id: other, stamp: true })).rejects.toThrow(/sells none/);
  });

  test('lets a buyer who asks for many copies at once wait, and gives none without a stamp', {
    tags: 'long',
  }, async () => {
    const books = Array.from({ length: 12 }, (_, number) => pdf(200 + number));
    const keys: string[] = [];
    for (const [number, bytes] of books.entries()) {
      keys.push(await upload(`${number}.pdf`, bytes));
    }
    const link = { key: keys[0], files: keys, stamp: true };
    const { id: many } = await createLink(seller, link);
    const ina = await buy('ina@example.com', many);
    const ways = await Promise.all(keys.map((_, file) => wayTo(ina, `content?file=${file}`, many)));
    const answers = await Promise.all(ways.map((way) => fetch(way)));
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    for (const answer of answers.filter(({ status }) => status === 200)) {
      const [words] = await readPdf(Buffer.from(await answer.arrayBuffer()));
      expect(words).toContain('ina@example.com');
    }
  });

  test('is not delivered to whose right ends while a copy is made', {
    tags: 'long',
  }, async () => {
    const { id: other } = await createLink(seller, {
      key: await upload('long.pdf', pdf(1_500)),
      stamp: true,
    });
    const jon = await buy('jon@example.com', other);
    const way = await wayTo(jon, 'content', other);
    const order = await orderOf('jon@example.com');
    const answer = fetch(way);
    await eventually(() => expect(findStamper(app.dataDir)).toBeDefined());
    await withDatabase(app, (db) =>
      db
        .updateTable('access_grant')
        .set({ state: 'ended' })
        .where('purchase_id', '=', order)
        .execute(),
    );
    expect((await answer).status).toBe(403);
  });

  test('never joins a part of the file to one of its copy', { tags: 'long' }, async () => {
    const kim = await buy('kim@example.com');
    const way = await wayTo(kim);
    const { headers } = await fetch(way, { headers: { range: 'bytes=0-99' } });
    const modified = headers.get('last-modified') ?? '';
    await updateLink(seller, { id, stamp: false });
    const answer = await fetch(way, { headers: { range: 'bytes=100-', 'if-range': modified } });
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(book);
    await updateLink(seller, { id, stamp: true });
  });
});
