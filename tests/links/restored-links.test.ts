import { beforeAll, expect, test } from 'vitest';
import {
  askGraphql,
  graphql,
  sellFile,
  signUp,
  storageUrl,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { deleteFile, deleteLink, RESTORE_LINK } from '../factories/stored-files.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

describeOnSqliteFirst('a deleted link', (database) => {
  const app = useApp({ database });
  let seller: Person;

  beforeAll(async () => {
    seller = await signUp(app);
  });

  const restore = async (person: Person, id: string) => {
    const { errors } = await askGraphql(person, RESTORE_LINK, { id });
    return errors?.[0]?.extensions?.code ?? 'restored';
  };

  async function find(words: string): Promise<string[]> {
    const query = 'query ($words: String!) { listPaywallLinks(search: $words) { items { id } } }';
    type Answer = { listPaywallLinks: { items: { id: string }[] } };
    const { listPaywallLinks } = await graphql<Answer>(seller, query, { words });
    return listPaywallLinks.items.map(({ id }) => id);
  }

  test('is restored by its owner alone: found by its words, sold and still its buyers’', async () => {
    const { id, key, bytes } = await sellFile(seller);
    await updateLink(seller, { id, title: 'Restorable wombat' });
    const buyer = createPerson(app);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    expect(await restore(seller, id)).toBe('LINK_NOT_FOUND');
    await deleteLink(seller, id);
    expect(await find('wombat')).toEqual([]);
    expect(await restore(await signUp(app), id)).toBe('LINK_NOT_FOUND');
    expect(await restore(seller, id)).toBe('restored');
    expect(await find('wombat')).toEqual([id]);
    const download = await fetch(await storageUrl(buyer, key ?? ''));
    expect(new Uint8Array(await download.arrayBuffer())).toEqual(bytes);
    const newcomer = createPerson(app);
    await payFor(newcomer, id);
    await waitUntilUnlocked(newcomer, id);
  });

  test('stays deleted once one of its files was, or the operator took it down', async () => {
    const emptied = await sellFile(seller);
    await deleteLink(seller, emptied.id);
    expect(await deleteFile(seller, emptied.key ?? '')).toMatchObject({ status: 204 });
    expect(await restore(seller, emptied.id)).toBe('FILE_DELETED');
    const taken = await sellFile(seller);
    await deleteLink(seller, taken.id);
    await withDatabase(app, async (db) => {
      await db.updateTable('link').set({ taken_down_at: 1 }).where('id', '=', taken.id).execute();
    });
    expect(await restore(seller, taken.id)).toBe('FORBIDDEN');
    const page = await createPerson(app).fetch(`/p/${taken.id}`);
    expect(page.status).toBe(404);
  });
});
