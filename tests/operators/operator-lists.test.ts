import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { removeOperator } from '../../server/people/operators/remove-operator.ts';
import { copyPurchase, findOriginal } from '../factories/copy-purchase.ts';
import {
  askGraphql,
  createLink,
  graphql,
  PASSWORD,
  sellFile,
  signUp,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { BUYER_EMAIL, payFor } from '../factories/payment.ts';
import { signUpOperator } from '../factories/sign-up-operator.ts';
import { deleteLink } from '../factories/stored-files.ts';
import { eventually } from '../harness/eventually.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, postJson, readJson } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const BOSS = 'boss@example.com';
const WEB_ADDRESS = { type: 'link', url: 'https://a.example/' };

describeOnSqliteFirst('what operators list', (database) => {
  const app = useApp({ database, env: { OPERATOR_EMAILS: BOSS } });
  let operator: Awaited<ReturnType<typeof signUpOperator>>;
  let seller: Awaited<ReturnType<typeof signUp>>;

  beforeAll(async () => {
    operator = await signUpOperator(app);
    seller = await signUp(app);
  });

  /** What refuses an act; undefined where it is done. */
  async function refusalOf(field: string, values: Record<string, string>) {
    const given = Object.entries(values).map(
      ([name, value]) => `${name}: ${JSON.stringify(value)}`,
    );
    const { errors } = await askGraphql(operator, `mutation { ${field}(${given.join(', ')}) }`);
    return errors?.[0]?.message;
  }
  async function act(field: string, values: Record<string, string>): Promise<void> {
    expect(await refusalOf(field, values)).toBeUndefined();
  }

  type Found = { id: string; state: string; takenDownFor: string | null };
  type FoundLinks = { findLinks: { items: Found[]; nextToken: string | null } };
  async function find(asked: { search?: string; takenDown?: boolean; after?: string | null } = {}) {
    const query = `query ($search: String, $takenDown: Boolean, $after: String) {
      findLinks(search: $search, takenDown: $takenDown, nextToken: $after) {
        items { id state sellerEmail sales takenDownFor takenDownWords } nextToken } }`;
    return (await graphql<FoundLinks>(operator, query, asked)).findLinks;
  }

  test('are all links, by their state, their words, their address and their seller', async () => {
    const create = (title: string, more = {}) =>
      createLink(seller, { ...WEB_ADDRESS, title, ...more });
    const live = await create('A zebra, live');
    const paused = await create('A zebra, paused');
    await updateLink(seller, { id: paused.id, paused: true });
    const unlisted = await create('A zebra, unlisted', { unlisted: true });
    const deleted = await create('A zebra, deleted');
    await deleteLink(seller, deleted.id);
    const taken = await create('A zebra, taken down');
    const other = await createLink(await signUp(app), { ...WEB_ADDRESS, title: 'A lion' });
    await act('takeDownLink', {
      id: taken.id,
      reason: 'fraud',
      words: 'It is a horse.',
    });

    const states = async (asked: Parameters<typeof find>[0]) =>
      Object.fromEntries((await find(asked)).items.map(({ id, state }) => [id, state]));
    const ofSeller = { [unlisted.id]: 'live', [paused.id]: 'paused', [live.id]: 'live' };
    expect(await states({})).toEqual({ [other.id]: 'live', ...ofSeller });
    expect(await states({ search: 'zeb' })).toEqual(ofSeller);
    expect(await states({ search: ` ${seller.email.toUpperCase()}` })).toEqual(ofSeller);
    expect(await states({ search: 'nobody@example.com' })).toEqual({});
    for (const search of ['', 'Zebra taken', seller.email]) {
      const { items } = await find({ search, takenDown: true });
      expect(items).toMatchObject([
        {
          id: taken.id,
          state: 'taken-down',
          takenDownFor: 'fraud',
          takenDownWords: 'It is a horse.',
          sellerEmail: seller.email,
          sales: 0,
        },
      ]);
    }
    for (const search of ['lion', operator.email]) {
      expect(await states({ search, takenDown: true })).toEqual({});
    }
    for (const search of [taken.id, `${app.origin}/p/${taken.id}?from=mail`]) {
      expect(await states({ search })).toEqual({ [taken.id]: 'taken-down' });
    }
    expect(await states({ search: deleted.id, takenDown: true })).toEqual({
      [deleted.id]: 'deleted',
    });
    const { id } = await findAccount(seller.email);
    await act('suspendAccount', { id, reason: 'A reason.' });
    expect(await states({ search: live.id })).toEqual({ [live.id]: 'suspended' });
    await act('restoreAccount', { id });
    await act('undoTakeDown', { id: taken.id, words: 'A mistake.' });
    expect(await states({ takenDown: true })).toEqual({});
    expect((await find({ search: taken.id })).items).toMatchObject([
      { state: 'live', takenDownFor: null },
    ]);
  });

  test('go on to a next page beyond fifty', async () => {
    const another = await signUp(app);
    for (let number = 1; number <= 51; number += 1) {
      const { id } = await createLink(another, { ...WEB_ADDRESS, title: `Herd ${number}` });
      await act('takeDownLink', { id, reason: 'other', words: 'Too many.' });
    }
    const taken = { search: 'herd', takenDown: true };
    const first = await find(taken);
    const second = await find({ ...taken, after: first.nextToken });
    expect([first.items.length, second.items.length, second.nextToken]).toEqual([50, 1, null]);
    const ids = [...first.items, ...second.items].map(({ id }) => id);
    expect(new Set(ids).size).toBe(51);
  });

  test('are the purchases that did not arrive, those found last first', async () => {
    const selling = await signUp(app);
    const { id: linkId } = await sellFile(selling);
    const buyer = createPerson(app);
    await payFor(buyer, linkId);
    await waitUntilUnlocked(buyer, linkId);
    const newestFirst = await withDatabase(app, async (db) => {
      const original = await findOriginal(db, linkId);
      const ids: string[] = [];
      for (let number = 1; number <= 51; number += 1) {
        const id = randomUUID();
        await copyPurchase(db, original, id, {
          undelivered_at: number,
          receipt_refused_at: number === 51 ? 1 : null,
        });
        ids.unshift(id);
      }
      return ids;
    });
    type Page = { items: { id: string; refused: boolean }[]; nextToken: string | null };
    const list = async (after: string | null) => {
      const query = `query ($after: String) { listUndeliveredPurchases(nextToken: $after) {
        items { id linkId buyerEmail sellerEmail paidAt refused } nextToken } }`;
      type Answer = { listUndeliveredPurchases: Page };
      return (await graphql<Answer>(operator, query, { after })).listUndeliveredPurchases;
    };
    const first = await list(null);
    const second = await list(first.nextToken);
    expect(first.items[0]).toEqual({
      id: newestFirst[0],
      linkId,
      buyerEmail: BUYER_EMAIL,
      sellerEmail: selling.email,
      paidAt: expect.any(String),
      refused: true,
    });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(newestFirst);
    expect([first.items.length, second.nextToken]).toEqual([50, null]);
    expect(first.items.filter(({ refused }) => refused)).toHaveLength(1);
  });

  test('are operators, whom others remove, but never the last one', async () => {
    const other = await signUpOperator(app);
    const [own, { id }] = [await findAccount(operator.email), await findAccount(other.email)];
    const remove = (userId: string, reason = 'A reason.') =>
      refusalOf('removeOperator', { id: userId, reason });
    const operators = async () => (await listAccounts({ operators: true })).map(({ id }) => id);

    // Two who remove each other at once: whoever comes second is the last one.
    const rows = [own.id, id].map((user_id) => ({ user_id, granted_at: 1 }));
    await withDatabase(app, async (db) => {
      const removeEach = () =>
        Promise.allSettled(
          [own.id, id].map((userId) =>
            removeOperator(
              { db, operatorEmails: [BOSS], now: Date.now },
              { kind: 'cli' },
              { userId, reason: 'A race.' },
            ),
          ),
        );
      let removing: ReturnType<typeof removeEach>;
      if (database === 'postgres') {
        // Both wait for whoever has the rows.
        const held = await db.startTransaction().execute();
        await held.selectFrom('operator').select('user_id').forUpdate().execute();
        removing = removeEach();
        const waiting = sql`select pid from pg_locks where not granted
          and pid in (select pid from pg_stat_activity where datname = current_database())`;
        await eventually(async () => expect((await waiting.execute(held)).rows).toHaveLength(2));
        await held.commit().execute();
      } else removing = removeEach();
      const raced = await removing;
      expect(raced.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      await db.deleteFrom('operator').execute();
      await db.insertInto('operator').values(rows).execute();
    });

    expect(await remove(own.id)).toMatch(/^You cannot remove yourself\./);
    expect(await remove(id, ' ')).toBe('Give the reason, in a sentence.');
    expect(await remove(id, '\u3164')).toBe('Give the reason, in a sentence.');
    const long = 'The reason is longer than 500 characters.';
    expect(await remove(id, 'x'.repeat(501))).toBe(long);
    expect((await other.fetch('/operator')).status).toBe(200);
    const invited = await runCli(app.env, 'user', 'invite', other.email, '--operator');
    expect(invited.stderr).toBe('This account is an operator already.\n');
    // As one that they had sent to another address of theirs.
    await withDatabase(app, (db) =>
      db
        .insertInto('invitation')
        .values({
          id: 'of-a-friend',
          email: other.email,
          role: 'operator',
          sent_at: 1,
          expires_at: Date.now() + 1e6,
          accepted_at: null,
          revoked_at: null,
        })
        .execute(),
    );
    expect(await remove(id)).toBeUndefined();
    expect((await other.fetch('/operator')).status).toBe(404);
    const credentials = { email: other.email, password: PASSWORD };
    await readJson(await postJson(other, '/api/auth/sign-in/email', credentials));
    expect((await other.fetch('/operator')).status).toBe(404);
    expect(await remove(id)).toBe('This account is not an operator.');
    const byCommand = await runCli(app.env, 'operator', 'remove', own.id, '--reason', 'A reason.');
    expect(byCommand).toMatchObject({
      status: 1,
      stderr: 'This is the last operator. Invite another one first.\n',
    });
    expect(await operators()).toEqual([own.id]);

    await signUp(app, { email: BOSS });
    const boss = await findAccount(BOSS);
    expect(boss).toMatchObject({ isOperator: true, isNamedOperator: true });
    expect((await operators()).sort()).toEqual([boss.id, own.id].sort());
    expect(await remove(boss.id)).toMatch(/^OPERATOR_EMAILS names this operator:/);
    const log = `{ listActs(subjectKind: "account", subjectId: "${id}") {
      items { act reason actorEmail } } }`;
    const { listActs } = await graphql<{ listActs: { items: object[] } }>(operator, log);
    expect(listActs.items[0]).toEqual({
      act: 'operator.removed',
      reason: 'A reason.',
      actorEmail: operator.email,
    });
    // A suspended one cannot act: whoever remains must be able to.
    await act('suspendAccount', { id: boss.id, reason: 'A reason.' });
    const last = await runCli(app.env, 'operator', 'remove', own.id, '--reason', 'A reason.');
    expect(last.status).toBe(1);
    await act('restoreAccount', { id: boss.id });
    const removed = await runCli(app.env, 'operator', 'remove', own.id, '--reason', 'A reason.');
    expect(removed).toMatchObject({ status: 0, stderr: '' });
    expect((await operator.fetch('/operator')).status).toBe(404);
  });

  type Account = { id: string; isNamedOperator: boolean };
  async function listAccounts(asked: { email?: string; operators?: boolean }): Promise<Account[]> {
    const query = `query ($email: String, $operators: Boolean) {
      listAccounts(emailPrefix: $email, operators: $operators) {
        items { id email isOperator isNamedOperator } } }`;
    type Answer = { listAccounts: { items: Account[] } };
    return (await graphql<Answer>(operator, query, asked)).listAccounts.items;
  }
  async function findAccount(email: string): Promise<Account> {
    const [account] = await listAccounts({ email });
    return account ?? expect.unreachable();
  }
});
