import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { signUp } from './factories.ts';
import { skipWithout } from './harness/needs.ts';
import { createSecretKey } from './secret-key.ts';
import { useApp } from './use-app.ts';

const run = promisify(execFile);
describe('an upload by curl', () => {
  const app = useApp();

  test('is made by the lines that docs/api.md gives', async () => {
    await run('curl', ['--version']).catch(() => skipWithout('curl'));
    const creator = await signUp(app);
    const { secret } = await createSecretKey(creator);
    const guide = readFileSync(join(import.meta.dirname, '..', 'docs', 'api.md'), 'utf8');
    const [, lines = ''] = /^With `curl`:\n+```sh\n(.*?)^```/ms.exec(guide) ?? [];
    const file = join(app.dataDir, '..', 'Übung, part 1.bin');
    const bytes = Buffer.alloc(3 * 1024 ** 2, 'padlink');
    writeFileSync(file, bytes);
    const script = lines.replaceAll('https://pay.example.com', `http://127.0.0.1:${app.port}`);
    const { stdout } = await run('sh', ['-euc', script], {
      env: { PATH: process.env.PATH, SECRET_KEY: secret, FILE: file },
    });
    const key = decodeURIComponent(stdout);
    expect(key).toMatch(/^public\/[0-9a-f]{8}-Übung, part 1\.bin$/);
    const { url } = (await (
      await creator.fetch(`/storage/url?key=${encodeURIComponent(key)}`)
    ).json()) as { url: string };
    expect(Buffer.from(await (await creator.fetch(url)).bytes()).equals(bytes)).toBe(true);
  });
});
