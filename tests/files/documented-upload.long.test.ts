import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { signUp } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { createSecretKey } from '../factories/secret-key.ts';
import { skipWithout } from '../harness/needs.ts';
import { createPerson } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

const run = promisify(execFile);
describe('a sale by curl', () => {
  const app = useApp();

  test('is made and read by the lines that docs/api.md gives', async () => {
    await run('curl', ['--version']).catch(() => skipWithout('curl'));
    const creator = await signUp(app);
    const { secret } = await createSecretKey(creator, 'Shell', ['sell', 'read']);
    const guide = readFileSync(join(import.meta.dirname, '../..', 'docs', 'api.md'), 'utf8');
    const [section = ''] = /^## A sale from a shell\n.*?^## /ms.exec(guide) ?? [];
    const [upload = '', sell = '', read = ''] = [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(
      ([, lines = '']) =>
        lines.replaceAll('https://pay.example.com', `http://127.0.0.1:${app.port}`),
    );
    const file = join(app.dataDir, '..', 'Übung, part 1.bin');
    const bytes = Buffer.alloc(3 * 1024 ** 2, 'padlink');
    writeFileSync(file, bytes);
    const env = { PATH: process.env.PATH, SECRET_KEY: secret, FILE: file, LC_ALL: 'C.UTF-8' };
    const shell = async (lines: string) =>
      (await run('bash', ['-euc', lines], { env })).stdout.trim();

    const address = await shell(upload + sell);
    const id = /\/p\/([0-9a-f]{8})$/.exec(address)?.[1] ?? '';
    const buyer = createPerson(app);
    await buyer.fetch(await payFor(buyer, id));
    const bought = await buyer.fetch(`/p/${id}/content`);
    const download = await buyer.fetch(bought.headers.get('location') ?? '');
    expect(download.headers.get('content-disposition')).toContain("UTF-8''%C3%9Cbung");
    expect(Buffer.from(await download.bytes()).equals(bytes)).toBe(true);

    const { data } = JSON.parse(await shell(read));
    expect(data.listSales.items).toMatchObject([
      { linkId: id, title: 'The song', gross: 499, state: 'active' },
    ]);
  });
});
