import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  operatorOf,
  requireActingOperator,
  requireOperator,
} from '../../server/ground/acts/operator-of.ts';
import { recordAct } from '../../server/ground/acts/record-act.ts';
import { transaction } from '../../server/ground/database/transaction.ts';
import { GUEST } from '../../server/ground/lib/viewer.ts';
import { listActs } from '../../server/people/operators/list-acts.ts';
import { signUp } from '../factories/factories.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const HOUR_MS = 60 * 60 * 1000;
const ADA = { firstName: 'Ada', language: 'en' } as const;

describeOnSqliteFirst('operators', (database) => {
  const app = useApp({ database });

  /** Whoever is signed in to the account of this address, as the product sees them. */
  async function viewerOf(email: string, hoursAgo = 0) {
    const { id } = await withDatabase(app, (db) =>
      db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirstOrThrow(),
    );
    const signedInAt = Date.now() - hoursAgo * HOUR_MS;
    const user = { id, email, ...ADA, sessionId: 's', signedInAt, operates: false };
    return { ...GUEST, authority: 'creator', creatorId: id, user } as const;
  }

  test('are named by a confirmed address or a row, and everybody else finds nothing', async () => {
    const named = await viewerOf((await signUp(app)).email);
    const granted = await viewerOf((await signUp(app)).email);
    const seller = await viewerOf((await signUp(app)).email, 48);
    await withDatabase(app, async (db) => {
      await db.insertInto('operator').values({ user_id: granted.user.id, granted_at: 1 }).execute();
      const context = { db, operatorEmails: [named.user.email] };
      const now = () => Date.now();
      for (const viewer of [named, granted]) {
        const { id, email } = viewer.user;
        expect(await operatorOf(context, viewer)).toEqual({ kind: 'account', id, email });
      }
      // Secret keys speak for an account, and sign nobody in.
      expect(await operatorOf(context, { ...named, user: null })).toBeNull();
      expect(await operatorOf(context, seller)).toBeNull();
      await expect(requireOperator({ ...context, viewer: seller })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
      const old = {
        ...granted,
        user: { ...granted.user, signedInAt: now() - 25 * HOUR_MS, operates: false },
      };
      const acting = requireActingOperator({ ...context, now, viewer: old });
      await expect(acting).rejects.toMatchObject({ code: 'SESSION_NOT_FRESH' });
      // Whoever can write to a profile has not confirmed its address.
      const unconfirmed = database === 'sqlite' ? sql<number>`0` : sql<boolean>`false`;
      await db
        .updateTable('user')
        .set({ emailVerified: unconfirmed })
        .where('id', '=', named.user.id)
        .execute();
      expect(await operatorOf(context, named)).toBeNull();
    });
  });

  test('leave a log of what they did that nobody changes, newest first', async () => {
    const viewer = await viewerOf((await signUp(app)).email);
    const actor = { kind: 'account', id: viewer.user.id, email: viewer.user.email } as const;
    await withDatabase(app, async (db) => {
      const act = (id: string, now: number) =>
        transaction(db, (trx) =>
          recordAct(trx, actor, { act: 'job.retried', subject: { kind: 'job', id } }, now),
        );
      for (let now = 1; now <= 60; now += 1) await act(now % 2 ? 'odd' : 'even', now);
      const { items: odd } = await listActs(db, {
        token: null,
        subject: { kind: 'job', id: 'odd' },
      });
      expect(odd.map(({ actedAt }) => actedAt)).toEqual(
        Array.from({ length: 30 }, (_, place) => 59 - 2 * place),
      );
      const first = await listActs(db, { token: null });
      const second = await listActs(db, { token: first.nextToken });
      const times = [...first.items, ...second.items].map(({ actedAt }) => actedAt);
      expect(times).toEqual(Array.from({ length: 60 }, (_, place) => 60 - place));
      expect(second.nextToken).toBeNull();
      expect(first.items[0]).toMatchObject({ actorKind: 'account', actorEmail: actor.email });

      const changes = [
        sql`update operator_act set reason = 'another'`,
        sql`delete from operator_act`,
        ...(database === 'postgres'
          ? [sql`truncate operator_act`]
          : [sql`insert or replace into operator_act select * from operator_act`]),
      ];
      for (const change of changes) {
        await expect(change.execute(db)).rejects.toThrow('append-only');
      }
    });
  });
});
