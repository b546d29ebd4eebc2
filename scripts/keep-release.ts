import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { VERSION } from '../server/running/version.ts';
import { RELEASES, type Release, SECRET } from '../tests/fixtures/releases.ts';

process.env.NODE_ENV ??= 'production';
const { createLink, readMail, signUp, waitUntilUnlocked } = await import(
  '../tests/factories/factories.ts'
);
const { BUYER_EMAIL, payFor } = await import('../tests/factories/payment.ts');
const { createPerson } = await import('../tests/harness/person.ts');
const { startApp } = await import('../tests/harness/start-app.ts');
const { withDatabase } = await import('../tests/harness/with-database.ts');

const PRICE = 500;
const SALES = 3;

/**
 * `node scripts/keep-release.ts`: keeps what a small shop of this version leaves behind, so that
 * every later version is tested to start from it. Run when a version is released.
 */
async function keepRelease(): Promise<void> {
  const app = await startApp({ empty: true, env: { APP_SECRET: SECRET } });
  try {
    const seller = await signUp(app, { email: 'ada@example.com' });
    const content = { type: 'link', url: 'https://example.com/sold', price: PRICE };
    const { id } = await createLink(seller, content);
    for (let sale = 0; sale < SALES; sale += 1) {
      const buyer = createPerson(app);
      await payFor(buyer, id);
      await waitUntilUnlocked(buyer, id);
    }
    const { text } = await readMail(app, BUYER_EMAIL);
    const personalPath = /\/access\/\S+/.exec(text)?.[0] ?? '';
    const release: Release = { id, seller: seller.email, grossCents: SALES * PRICE, personalPath };
    const copy = join(app.dataDir, 'copy.sqlite');
    await withDatabase(app, (db) => sql`vacuum into ${copy}`.execute(db));
    mkdirSync(RELEASES, { recursive: true });
    const path = join(RELEASES, VERSION);
    writeFileSync(`${path}.sqlite.gz`, gzipSync(readFileSync(copy), { level: 9 }));
    writeFileSync(`${path}.json`, `${JSON.stringify(release, null, 2)}\n`);
    rmSync(copy);
  } finally {
    await app.stop();
  }
}

await keepRelease();
