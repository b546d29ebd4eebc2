import { execFileSync } from 'node:child_process';
import { beforeAll, expect, test } from 'vitest';
import {
  announceUpload,
  createLink,
  graphql,
  publishableKey,
  signUp,
  storageUrl,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { skipWithout } from '../harness/needs.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, readJson } from '../harness/person.ts';
import { createDataFolder } from '../harness/run-folder.ts';
import { runPython } from '../harness/run-python.ts';
import { useApp } from '../harness/use-app.ts';

const PATHS = ['track1/mix.txt', 'track2/mix.txt', 'track2/stems/drums – 1.txt', '.htaccess'];
/** Two parts as long as they may be, of what takes most room in a header, and in a token. */
const LONGEST = `${'日'.repeat(85)}/${'日'.repeat(85)}`;
const QUOTES = `${'"'.repeat(255)}/${'"'.repeat(255)}`;

describeOnSqliteFirst('the folders of sold files', (database) => {
  const app = useApp({ database });
  let seller: Person;
  let buyer: Person;
  let id: string;

  async function sell(names: string[]): Promise<string> {
    const [first = '', ...others] = names;
    const { key } = await uploadFile(seller, { name: first, bytes: Buffer.from(first) });
    const own = key.slice('public/'.length, 'public/'.length + 8);
    const keys = [key];
    for (const name of others) {
      keys.push((await uploadFile(seller, { name, bytes: Buffer.from(name), id: own })).key);
    }
    expect(keys).toEqual(names.map((name) => `public/${own}-${name}`));
    const link = await createLink(seller, { id: own, key, files: keys });
    return link.id;
  }

  async function buy(linkId: string): Promise<Person> {
    const person = createPerson(app);
    await payFor(person, linkId);
    await waitUntilUnlocked(person, linkId);
    return person;
  }

  beforeAll(async () => {
    seller = await signUp(app);
    id = await sell(PATHS);
    buyer = await buy(id);
  });

  test('are kept in the API, in the storage and on the page', async () => {
    const query = `{ getPaywallLink(id: "${id}") { files { key name } } }`;
    for (const person of [seller, buyer]) {
      expect(await graphql(person, query, {}, await publishableKey(app))).toEqual({
        getPaywallLink: { files: PATHS.map((name) => ({ key: `public/${id}-${name}`, name })) },
      });
      const { items } = await readJson<{ items: { name: string }[] }>(
        await person.fetch('/storage/list'),
      );
      expect(items.map(({ name }) => name).sort()).toEqual([...PATHS].sort());
    }
    const html = await (await buyer.fetch(`/p/${id}`)).text();
    const shown = html.replaceAll(/<[^>]*>/g, '');
    for (const path of PATHS) expect(shown).toContain(path);
    const locked = await (await createPerson(app).fetch(`/p/${id}`)).text();
    expect(locked).not.toMatch(/track1|mix\.txt|htaccess/);
  });

  test('are those of the archive, whose sums are right in it', async () => {
    const way = (await buyer.fetch(`/p/${id}/content.zip`)).headers.get('location') ?? '';
    const input = await (await buyer.fetch(way)).bytes();
    const folder = createDataFolder();
    const unpack = `
import io, json, sys, zipfile
archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
archive.extractall(sys.argv[1])
print(json.dumps([[name, archive.read(name).decode()] for name in archive.namelist()]))
`;
    const entries = JSON.parse(runPython(unpack, { input, args: [folder] }));
    expect(entries.slice(0, -1)).toEqual(PATHS.map((path) => [path, path]));
    if (process.platform !== 'linux') skipWithout('linux');
    const checked = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder });
    expect(String(checked)).toBe(PATHS.map((path) => `${path}: OK\n`).join(''));
  });

  test('are no part of the name of a file that is downloaded by itself', async () => {
    const way = (await buyer.fetch(`/p/${id}/content?file=1`)).headers.get('location') ?? '';
    expect(way).toMatch(/^\/download\/[^/]+\/mix\.txt$/);
    const download = await buyer.fetch(way);
    expect(download.headers.get('content-disposition')).toBe('attachment; filename=mix.txt');
    expect(await download.text()).toBe('track2/mix.txt');
    const dotted = await fetch(await storageUrl(buyer, `public/${id}-.htaccess`));
    expect(dotted.headers.get('content-disposition')).toBe('attachment; filename=.htaccess');
  });

  test('may come as clients of tus send them beside the name', async () => {
    const encode = (text: string) => Buffer.from(text).toString('base64');
    const created = await seller.fetch('/uploads', {
      method: 'POST',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': '1',
        'upload-metadata': `relativePath ${encode('/week 1/a.txt')},filename ${encode('a.txt')}`,
      },
    });
    expect(created.headers.get('upload-key')).toMatch(/-week%201%2Fa\.txt$/);
    const tus = { 'tus-resumable': '1.0.0' };
    const location = created.headers.get('location') ?? '';
    const known = await seller.fetch(location, { method: 'HEAD', headers: tus });
    expect(known.headers.get('upload-metadata')).toContain(`filename ${encode('week 1/a.txt')}`);
  });

  test('may be so long that every header and address has room for them, and no longer', async () => {
    const refused = await announceUpload(seller, { name: `${LONGEST}/日`, size: 1 });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      code: 'INVALID_INPUT',
      detail:
        'The path of this file is too long. It can be at most 512 bytes long and 16 folders deep.',
    });
    const created = await announceUpload(seller, { name: LONGEST, size: 7 });
    const location = created.headers.get('location') ?? '';
    const headers = { 'tus-resumable': '1.0.0' };
    const known = await seller.fetch(location, { method: 'HEAD', headers });
    const head = [...known.headers].map((header) => header.join(': ')).join('\r\n');
    // nginx takes a head of 4 KiB, by default.
    expect(Buffer.byteLength(head)).toBeLessThan(4_000);
    for (const name of [LONGEST, QUOTES]) {
      const linkId = await sell([name]);
      const way = (await seller.fetch(`/p/${linkId}/content`)).headers.get('location') ?? '';
      expect(await (await seller.fetch(way)).text()).toBe(name);
    }
  });
});
