import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bucket } from '../server/adapters/storage/s3-client.ts';
import { sellFile, signUp, waitUntilUnlocked } from './factories.ts';
import { payFor } from './payment.ts';
import { createPerson, type Person } from './person.ts';
import { createBucket, needS3, s3Settings } from './s3.ts';
import { type App, startApp } from './start-app.ts';
import { withDatabase } from './with-database.ts';

const _MEBIBYTE = 1024 ** 2;
const NAME = 'Étude "1" – 日本.pdf';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe.each(['direct', 'proxy'])('files in S3, delivered by %s', (delivery) => {
  needS3();
  let app: App;
  let bucket: Bucket;
  let seller: Person;

  beforeAll(async () => {
    const created = await createBucket();
    if (!created) return;
    bucket = created;
    app = await startApp({ env: { ...s3Settings(bucket), S3_DELIVERY: delivery } });
    seller = await signUp(app);
  });
  afterAll(() => app?.stop());

  async function buy(id: string): Promise<string> {
    const buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    const answer = await buyer.fetch(`/p/${id}/content`);
    return new URL(answer.headers.get('location') ?? '', app.origin).href;
  }

  test('are sold, and arrive whole and in parts under their name', async () => {
    const { id, bytes } = await sellFile(seller, { name: NAME, size: 300_000 });
    const address = await buy(id);
    const answer = await fetch(address);
    expect(answer.url.startsWith(bucket.endpoint)).toBe(delivery === 'direct');
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="?tude \\"1\\" ? ??.pdf"; filename*=UTF-8''%C3%89tude%20%221%22%20%E2%80%93%20%E6%97%A5%E6%9C%AC.pdf`,
    );
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(sha256(await answer.bytes())).toBe(sha256(bytes));
    const part = await fetch(address, { headers: { range: 'bytes=1000-1999' } });
    expect(part.status).toBe(206);
    expect(await part.bytes()).toEqual(bytes.slice(1000, 2000));
    const head = await fetch(address, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(bytes.length));
    const recorded = await withDatabase(app, (db) =>
      db.selectFrom('delivery').select(['outcome', 'bytes_sent']).execute(),
    );
    const sent = delivery === 'direct' ? 0 : 301_000;
    const outcome = delivery === 'direct' ? 'handed_over' : 'delivered';
    expect(recorded).toEqual([{ outcome, bytes_sent: sent }]);
  });
});
