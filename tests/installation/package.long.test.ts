import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  sellFile,
  signUp,
  storageUrl,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { createPerson } from '../harness/person.ts';
import { spawnApp } from '../harness/spawn-app.ts';

const root = join(import.meta.dirname, '../..');
const MEGABYTE = 1_000_000;

const pack = (...words: string[]) =>
  spawnSync(process.execPath, [join(root, 'scripts/package.mjs'), ...words], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH },
    encoding: 'utf8',
  });

describe('what `npm run package` writes into an empty folder', () => {
  // Outside of the repository, whose packages Node.js would find otherwise.
  const folder = mkdtempSync(join(tmpdir(), 'padlink-package-'));
  const node = join(folder, 'node_modules/.bin/node');

  beforeAll(() => expect(pack(folder)).toMatchObject({ status: 0, stderr: '' }));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('sells a file and runs commands, with nothing else of this machine', async () => {
    const app = await spawnApp({ folder, node });
    onTestFinished(async () => void (await app.stop()));
    const seller = await signUp(app);
    const { id, key, bytes } = await sellFile(seller);
    const buyer = createPerson(app);
    const cards: (string | null)[] = [];
    // Without their fonts, the last two would be alike.
    for (const title of ['Algebra', '数学', 'גאומטריה']) {
      await updateLink(seller, { id, title });
      const card = await buyer.fetch(`/p/${id}/card.png`);
      expect(card.headers.get('content-type')).toBe('image/png');
      cards.push(card.headers.get('etag'));
    }
    expect(new Set(cards).size).toBe(3);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    expect(await (await fetch(await storageUrl(buyer, key ?? ''))).bytes()).toEqual(bytes);
    const command = [join(folder, 'server/cli/main.ts'), 'ledger', 'check'];
    execFileSync(node, command, { env: app.env });
  });

  test('is as small as docs/operating.md says, without tests and what builds', () => {
    const files = globSync('**', { cwd: folder, withFileTypes: true }).filter((at) => at.isFile());
    const sizes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(400 * MEGABYTE);
    const unused = [
      '{server,sandbox,contract}/**/*.test.*',
      '{client,node_modules/@padlink}/**',
      'node_modules/{vite,vitest,typescript}',
    ];
    expect(globSync(unused, { cwd: folder })).toEqual([]);
    expect(globSync('dist/program/*', { cwd: folder })).toEqual(['dist/program/run.mjs']);
  });

  test('lists each package that is in it, with its version, licence and digest', () => {
    const bom = JSON.parse(readFileSync(join(folder, 'bom.json'), 'utf8'));
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
    const installed = globSync('**/node_modules/{*,@*/*}/package.json', { cwd: folder })
      .map((path) => JSON.parse(readFileSync(join(folder, path), 'utf8')))
      .filter(({ name, version }) => name && version)
      .map(({ name, version }) => `${name}@${version}`);
    type Component = { name: string; version: string; purl?: string; [field: string]: unknown };
    const libraries = (bom.components as Component[]).filter(({ type }) => type === 'library');
    const listed = libraries.map(({ name, version }) => `${name}@${version}`);
    expect([...new Set(listed)].sort()).toEqual([...new Set(installed)].sort());
    for (const { purl, name, hashes, licenses } of libraries) {
      expect(purl).toMatch(/^pkg:npm\/(?:%40[\w.-]+\/)?[\w.-]+@\d/);
      expect([name, hashes]).toEqual([name, [expect.objectContaining({ alg: 'SHA-512' })]]);
      // It states none.
      if (name === 'combine-errors') continue;
      expect([name, licenses]).toEqual([name, [{ expression: expect.any(String) }]]);
    }
    const refs = (bom.components as Component[]).map((one) => one['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1);
    expect(bom.components).toContainEqual(expect.objectContaining({ name: 'node', version }));
  });

  test('never mixes with what is there', () => {
    const again = pack(folder);
    expect(again.status).toBe(1);
    expect(again.stderr).toBe(
      `${folder} is not empty. Name a folder that is, or that does not exist.\n`,
    );
    expect(pack()).toMatchObject({ status: 1, stderr: 'Say where to: npm run package -- PATH\n' });
  });
});
