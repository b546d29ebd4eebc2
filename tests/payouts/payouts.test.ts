import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { Entry } from '../../server/books/ledger/post-entry.ts';
import { postEntry } from '../../server/books/ledger/post-entry.ts';
import { transaction } from '../../server/ground/database/transaction.ts';
import { checkLedger } from '../../server/money/payments/check-ledger.ts';
import { createLink, readUserId, signUp } from '../factories/factories.ts';
import { readWholeBalance } from '../factories/money.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { runCli } from '../harness/run-command.ts';
import { useApp } from '../harness/use-app.ts';
import { withDatabase } from '../harness/with-database.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describeOnSqliteFirst('a payout', (database) => {
  const app = useApp({ database });
  let creator: Awaited<ReturnType<typeof signUp>>;

  const payOut = (...words: string[]) => runCli(app.env, 'ledger', 'payout', ...words);

  /** A sale of 1,000 cents with a fee of 80, made so many days ago. */
  async function bookSale(ownerId: string, daysAgo: number): Promise<void> {
    const soldAt = Math.round(Date.now() - daysAgo * DAY_MS);
    const { id: linkId } = await createLink(creator, { type: 'link', url: 'https://example.com/' });
    const id = randomUUID();
    await withDatabase(app, async (db) => {
      await sql`
        insert into purchase (id, payment_id, line, link_id, seller_id, claim_hash, price_cents,
          fee_cents, currency, mode, provider_account, state, created_at, expires_at, settled_at)
        values (${id}, ${id}, 1, ${linkId}, ${ownerId}, ${id}, 1000, 80, 'usd', 'test', 'acct_test', 'settled',
          ${soldAt}, ${soldAt}, ${soldAt})`.execute(db);
    });
    await book('sale', { soldAt, purchaseId: id }, [
      { account: 'provider', amountCents: -1000 },
      { account: 'platform_fee', amountCents: 80 },
      { account: 'creator', ownerId, amountCents: 920 },
    ]);
  }

  const bookDispute = (ownerId: string) =>
    book('dispute', { soldAt: Date.now(), purchaseId: null }, [
      { account: 'provider', amountCents: 2000 },
      { account: 'creator', ownerId, amountCents: -2000 },
    ]);

  async function book(
    kind: Entry['kind'],
    { soldAt, purchaseId }: { soldAt: number; purchaseId: string | null },
    lines: Entry['lines'],
  ): Promise<void> {
    const entry: Entry = {
      kind,
      cause: `${kind}:${randomUUID()}`,
      mode: 'test',
      providerAccount: 'acct_test',
      currency: 'usd',
      purchaseId,
      linkId: null,
      soldAt,
      lines,
    };
    await withDatabase(app, (db) => transaction(db, (trx) => postEntry(trx, entry, soldAt)));
  }

  beforeEach(async () => {
    creator = await signUp(app);
    const { sub } = (await (await creator.fetch('/api/user-attributes')).json()) as { sub: string };
    // The hold is seven days: one sale is a little older, the other a little younger.
    await bookSale(sub, 7.01);
    await bookSale(sub, 6.99);
  });

  test('that the operator made lowers the balance by what was sent', async () => {
    const reference = randomUUID();
    expect(await payOut(creator.email, '9.00', reference)).toMatchObject({
      status: 0,
      stdout: 'The payout of $9.00 was recorded.\n',
    });
    expect(await readWholeBalance(creator)).toEqual({
      balance: 940,
      pending: 920,
      available: 20,
    });
    const faults = await withDatabase(app, checkLedger);
    expect(faults.filter((fault) => /^(Entry|Balance)/.test(fault))).toEqual([]);
  });

  test('is booked once for each reference, and refused with another amount', async () => {
    const reference = randomUUID();
    await payOut(creator.email, '9.00', reference);
    expect((await payOut(creator.email, '9.00', reference)).stdout).toBe(
      'This payout had already been recorded.\n',
    );
    const { status, stderr } = await payOut(creator.email, '0.20', reference);
    expect(status).toBe(1);
    expect(stderr).toContain('already booked with other lines');
    expect(await readWholeBalance(creator)).toMatchObject({ balance: 940 });
  });

  test('that did not arrive is taken back once', async () => {
    const reference = `bank ${randomUUID()}`;
    const takeBack = (words: string) =>
      runCli(app.env, 'ledger', 'payout-reverse', ...words.split(' '));
    expect(await takeBack(reference)).toMatchObject({
      status: 1,
      stderr: `No payout was recorded as “${reference}”.\n`,
    });
    await payOut(creator.email, '9.00', ...reference.split(' '));
    expect((await takeBack(reference)).stdout).toBe(
      'The payout was taken back: $9.00 are owed again.\n',
    );
    expect((await takeBack(reference)).stdout).toBe('This payout had already been taken back.\n');
    expect(await readWholeBalance(creator)).toMatchObject({ balance: 1840, available: 920 });
    const faults = await withDatabase(app, checkLedger);
    expect(faults.filter((fault) => /^(Entry|Balance)/.test(fault))).toEqual([]);
  });

  test('never takes what is pending', async () => {
    const { status, stderr } = await payOut(creator.email, '9.21', randomUUID());
    expect(status).toBe(1);
    expect(stderr).toBe('$9.21 is more than the $9.20 available.\n');
    expect(await readWholeBalance(creator)).toMatchObject({ balance: 1840, available: 920 });
  });

  test('goes to a deleted account too, and what one owes is written off, never lost', async () => {
    const ownerId = await readUserId(creator);
    const remaining = () =>
      withDatabase(app, (db) =>
        db.selectFrom('user_balance').selectAll().where('owner_id', '=', ownerId).execute(),
      );
    const orphans = async () =>
      (await withDatabase(app, checkLedger)).filter((fault) =>
        fault.includes(`account ${ownerId}`),
      );
    const writeOff = () => runCli(app.env, 'ledger', 'write-off', ownerId);
    expect(await writeOff()).toMatchObject({ status: 1, stdout: '' });
    // What its buyers paid while it was being deleted.
    await withDatabase(app, (db) => db.deleteFrom('user').where('id', '=', ownerId).execute());
    expect(await orphans()).toEqual([expect.stringContaining('is owed $18.40')]);
    expect(await writeOff()).toMatchObject({ stdout: 'The account owes nothing.\n' });
    expect(await payOut(ownerId, '9.20', randomUUID())).toMatchObject({ status: 0 });
    await bookDispute(ownerId);
    expect(await orphans()).toEqual([expect.stringContaining('owes $10.80')]);
    expect(await writeOff()).toMatchObject({ stdout: '$10.80 were written off.\n' });
    expect(await remaining()).toMatchObject([{ balance_cents: 0 }]);
    expect(await orphans()).toEqual([]);
  });

  test.each([
    ['nobody@example.com', '9.00', 'a'],
    ['', '9.00', 'a'],
  ])('to %j is refused, because there is no such account', async (...words) => {
    expect(await payOut(...words)).toMatchObject({ status: 1, stdout: '' });
  });

  test.each([['0'], ['0.00'], ['-5'], ['9.5'], ['ten']])(
    'of %s dollars is refused',
    async (dollars) => {
      expect(await payOut(creator.email, dollars, 'a')).toMatchObject({ status: 2, stdout: '' });
    },
  );
});
