import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readUserId, signUp } from '../factories/factories.ts';
import { describeOnBothDatabases } from '../harness/on-both-databases.ts';
import { runCli } from '../harness/run-command.ts';
import { createDataFolder } from '../harness/run-folder.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const SALES = 3_000;

describeOnBothDatabases('an import that is killed', (database) => {
  const app = useApp({ database });

  const countSales = (sellerId: string) =>
    withDatabase(app, async (db) => {
      const sold = db.selectFrom('purchase').where('seller_id', '=', sellerId);
      return (await sold.select('id').execute()).length;
    });

  test.each([0, 1, 2])('is completed by the next one, after link %i', async (last) => {
    const seller = await signUp(app);
    const sellerId = await readUserId(seller);
    const folder = createDataFolder();
    const products = ['product,title,price', ...[0, 1, 2].map((at) => `p${at},Product ${at},5`)];
    writeFileSync(join(folder, 'products.csv'), products.join('\n'));
    const rows = Array.from(
      { length: SALES },
      (_, at) => `p${at % 3},b${at}@example.com,2024-03-05`,
    );
    writeFileSync(join(folder, 'sales.csv'), ['product,email,date', ...rows].join('\n'));
    const files = createDataFolder();
    for (const at of [0, 1, 2])
      writeFileSync(join(files, `p${at}.bin`), Buffer.alloc(3_000_000, at));
    const words = ['import', 'csv', folder, '--owner', seller.email, '--files', files];
    const child = spawn(process.execPath, ['server/cli/main.ts', ...words], {
      env: { PATH: process.env.PATH, ...app.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk;
      if (said.includes(`“Product ${last}” is the new link`)) child.kill('SIGKILL');
    });
    await once(child, 'close');
    expect(child.signalCode).toBe('SIGKILL');
    const before = await countSales(sellerId);
    const { status, stdout } = await runCli(app.env, ...words, '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout).sales).toEqual({ imported: SALES - before, known: before });
    expect(await countSales(sellerId)).toBe(SALES);
    const { stdout: checked } = await runCli(app.env, 'ledger', 'check');
    expect(checked).toBe('The ledger is in order.\n');
  });
});
