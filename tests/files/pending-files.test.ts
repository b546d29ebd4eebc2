import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { enqueue } from '../../server/ground/outbox/jobs.ts';
import {
  graphql,
  publishableKey,
  sellFile,
  signUp,
  storageUrl,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { connectLive } from '../harness/live-socket.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person, postJson } from '../harness/person.ts';
import { readPage } from '../harness/read-page.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const LINK = `id pending unlocked files { name sha256 }`;
const BEING_CHECKED = 'This file is being checked. It can be bought in a moment.';

describeOnSqliteFirst('a link whose file is not checked yet', (database) => {
  const app = useApp({ database });
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
  });

  /** What a restart in the middle of a large upload leaves. */
  async function sellPending() {
    const sold = await sellFile(seller);
    const row = await withDatabase(app, async (db) => {
      await db
        .updateTable('link')
        .set(({ eb }) => ({ version: eb('version', '+', 1) }))
        .where('id', '=', sold.id)
        .execute();
      return db
        .updateTable('file')
        .set({ sha256: null, checked_at: null })
        .where('key', '=', sold.key)
        .returning('blob')
        .executeTakeFirstOrThrow();
    });
    const check = () => withDatabase(app, (db) => enqueue(db, 'check-file', row, Date.now()));
    return { ...sold, key: sold.key ?? '', check };
  }

  const see = async (person: Person, id: string) => {
    const query = `query ($id: ID!) { getPaywallLink(id: $id) { ${LINK} } }`;
    const keys = person === seller ? {} : await publishableKey(app);
    return (await graphql<Record<string, unknown>>(person, query, { id }, keys)).getPaywallLink;
  };

  test('says so on its page and on the dashboard, is not sold, and is on sale once it is checked', async () => {
    const { id, key, bytes, check } = await sellPending();
    const visitor = createPerson(app);
    expect(await see(visitor, id)).toMatchObject({ pending: true, unlocked: false });
    const page = await readPage(visitor, `/p/${id}`);
    expect(page).toContain(BEING_CHECKED);
    expect(page).not.toContain('Unlock Now');
    const dashboard = await readPage(seller, '/dashboard');
    expect(dashboard).toContain(BEING_CHECKED);
    expect(dashboard).toContain('Being checked');
    const refused = await postJson(visitor, '/prod/checkout', { paywallId: id });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ code: 'CONTENT_PENDING', detail: BEING_CHECKED });

    const live = await connectLive(app, { keys: await publishableKey(app) });
    const subscription = `subscription ($id: ID) { onUpdatePaywallLink(id: $id) { ${LINK} } }`;
    await live.subscribe('updated', subscription, { id });
    await check();
    await eventually(() => {
      const told = JSON.stringify(live.answers('updated'));
      if (!told.includes('"pending":false')) throw new Error(told);
    });
    expect(await readPage(visitor, `/p/${id}`)).toContain('Unlock Now');
    await payFor(visitor, id);
    await waitUntilUnlocked(visitor, id);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const files = [{ name: 'notes.pdf', sha256 }];
    expect(await see(visitor, id)).toMatchObject({ pending: false, files });
    expect(await see(seller, id)).toMatchObject({ files });
    expect(await readPage(visitor, `/p/${id}`)).toContain(sha256);
    expect(await readPage(seller, `/p/${id}`)).toContain(sha256);
    expect(await readPage(createPerson(app), `/p/${id}`)).not.toContain(sha256);
    expect((await visitor.fetch(await storageUrl(visitor, key))).status).toBe(200);
  });

  test('is delivered to nobody, neither its owner nor where it is free', async () => {
    const { id } = await sellPending();
    await updateLink(seller, { id, unlocked: true });
    for (const person of [seller, createPerson(app)]) {
      const page = await readPage(person, `/p/${id}`);
      expect(page).toContain('This file is being checked. It can be downloaded in a moment.');
      expect(page).not.toContain('Download');
      const content = await person.fetch(`/p/${id}/content`);
      const refused = await person.fetch(content.headers.get('location') ?? '', {
        headers: { accept: 'text/html' },
      });
      expect(refused.status).toBe(409);
      expect(await refused.text()).toContain('This file is being checked');
    }
  });
});
