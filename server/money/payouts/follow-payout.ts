import type { UpdateObject } from 'kysely';
import { type Fact, fact, keepFact, texts } from '../../../contract/fact.ts';
import { isSuspended } from '../../ground/acts/is-suspended.ts';
import type { DatabaseTransaction, Tables } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DAY_MS, HOUR_MS } from '../../ground/lib/time.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { tellHooks } from '../../notices/hooks/tell-hooks.ts';
import { announcePayout, bookBack } from './book-payout.ts';
import type { PayoutContext } from './context.ts';
import { followAccount } from './payout-account.ts';
import { InsufficientFundsError, PayoutRefusedError, type SentPayout } from './payout-provider.ts';
import { describeMissing, findHold } from './read-money.ts';
import type { Payout, PayoutAccount } from './tables.ts';

/** How long a bank may still send back what it has taken. */
const RETURN_MS = 7 * DAY_MS;
/** How often a payout is sent to a bank that refuses it. */
const MAX_FAILURES = 3;

/** When to go on, in UTC milliseconds; null at the end, and 'now' after a step that was done. */
type Next = number | null | 'now';

/**
 * Takes a payout as far as it goes now: transfer, payout at the bank, or back. Each step may be
 * repeated, by the same process after a crash or by another one at the same time: what it was told
 * is written where it was asked from alone, and a question that was lost is asked with its own key.
 * Should no event come, the provider is asked every hour.
 * @returns when to go on, in UTC milliseconds; null when it is over
 */
export async function followPayout(
  context: PayoutContext,
  payoutId: string,
): Promise<number | null> {
  for (;;) {
    const payout = await context.db
      .selectFrom('payout')
      .selectAll()
      .where('id', '=', payoutId)
      .executeTakeFirst();
    if (!payout || payout.mode !== context.provider.mode) return null;
    // What was asked for on another account of the provider can neither be found nor asked for here.
    if (payout.provider_account !== (await context.account())) return context.now() + HOUR_MS;
    const next = await step(context, payout);
    if (next !== 'now') return next;
  }
}

async function step(context: PayoutContext, payout: Payout): Promise<Next> {
  if (payout.state === 'reversed') return null;
  if (payout.returning_because !== null) return bringBack(context, payout);
  if (await isBackUnasked(context, payout)) return 'now';
  switch (payout.state) {
    case 'requested':
      return payout.transfer_id === null ? transfer(context, payout) : payOut(context, payout);
    case 'sent':
      return settle(context, payout);
    case 'failed':
      return tryAgain(context, payout);
    case 'paid': {
      const isFinal = context.now() > payout.changed_at + RETURN_MS;
      return isFinal ? null : settle(context, payout);
    }
  }
}

/** To the creator's account at the provider. */
async function transfer(context: PayoutContext, payout: Payout): Promise<Next> {
  const { provider, now } = context;
  if (payout.approved_at === null) return now() + HOUR_MS;
  // What a suspended creator asked for waits until the operator restores the account.
  if (await isSuspended(context.db, payout.owner_id)) return now() + HOUR_MS;
  const { id, account_id: accountId } = payout;
  const found = await provider.findTransfer(id);
  if (found) return write(context, payout, { transfer_id: found.id, note: null });
  // Asked before, it may exist by the time it is looked for: then the same key finds it.
  if (payout.asked_at === null) {
    const account = await readyAccount(context, payout);
    if (account === null || typeof account === 'number') return account;
    if ((await provider.readAvailable()) < arrivesOf(payout)) return waitForMoney(context, payout);
    return write(context, payout, { asked_at: now() });
  }
  try {
    const transferId = await provider.transfer({
      payoutId: id,
      accountId,
      amountCents: arrivesOf(payout),
      idempotencyKey: keyOf('payout', payout),
    });
    return write(context, payout, { transfer_id: transferId, note: null });
  } catch (error) {
    if (error instanceof InsufficientFundsError) {
      await write(context, payout, { asked_at: null, tries: payout.tries + 1 });
      return waitForMoney(context, { ...payout, asked_at: null, tries: payout.tries + 1 });
    }
    if (!(error instanceof PayoutRefusedError)) throw error;
    return write(context, payout, { returning_because: inWords(error.message) });
  }
}

const arrivesOf = ({ amount_cents, cost_cents }: Payout) => amount_cents - cost_cents;

/** The provider answers a key as it did before, so that a definite no needs another one. */
function keyOf(what: string, { id, tries }: Payout): string {
  return tries === 0 ? `${what}-${id}` : `${what}-${id}-${tries}`;
}

const NO_MONEY = fact(
  'The payment provider has not released enough money for it yet. It is tried again every hour.',
);

const waitForMoney = (context: PayoutContext, payout: Payout) => wait(context, payout, NO_MONEY);

/** From the creator's account at the provider to the bank. */
async function payOut(context: PayoutContext, payout: Payout): Promise<Next> {
  const { id, account_id: accountId } = payout;
  if (await isSuspended(context.db, payout.owner_id)) return context.now() + HOUR_MS;
  const account = await readyAccount(context, payout);
  if (account === null || typeof account === 'number') return account;
  const { bank_account } = account;
  try {
    const sent = await context.provider.payOut({
      payoutId: id,
      accountId,
      amountCents: arrivesOf(payout),
      idempotencyKey: keyOf('bank', payout),
    });
    const noted = { sent_id: sent.id, bank_account, note: null, changed_at: context.now() };
    return write(context, payout, { ...noted, state: 'sent' }, 'sent');
  } catch (error) {
    if (error instanceof InsufficientFundsError) {
      const tries = payout.tries + 1;
      await write(context, payout, { tries });
      const why = fact('The money is on its way to your payout account.');
      return wait(context, { ...payout, tries }, why);
    }
    if (!(error instanceof PayoutRefusedError)) throw error;
    return fail(context, payout, error.message);
  }
}

/** What has become of it at the bank, which may send back even what it has taken. */
async function settle(context: PayoutContext, payout: Payout): Promise<Next> {
  const { account_id: accountId, sent_id: id } = payout;
  if (id === null) return null;
  const { state, failure }: SentPayout = await context.provider.retrievePayout({ accountId, id });
  if (state === 'failed') return fail(context, payout, failure);
  if (state === 'paid' && payout.state === 'sent') {
    const paid = { state: 'paid', note: null, changed_at: context.now() } as const;
    return write(context, payout, paid, 'paid');
  }
  return context.now() + (payout.state === 'paid' ? DAY_MS : HOUR_MS);
}

async function fail(context: PayoutContext, payout: Payout, reason: string | null): Promise<Next> {
  const at = context.now();
  const failures = payout.failures + 1;
  const words = reason === null ? texts('The bank sent it back.') : inWords(reason);
  if (failures >= MAX_FAILURES) {
    return write(context, payout, {
      state: 'failed',
      failures,
      note: words,
      returning_because: words,
      changed_at: at,
    });
  }
  const failed = { state: 'failed', failures, changed_at: at, try_at: at + DAY_MS } as const;
  const note = fact(
    '{why} It is tried again once you have changed the bank account, or in a day.',
    { why: { text: words } },
  );
  return write(context, payout, { ...failed, note: keepFact(note) }, 'failed');
}

/** The provider's words as a sentence. */
const inWords = (message: string) => (/[.!?]$/.test(message) ? message : `${message}.`);

/** With another bank account, or a day later. */
async function tryAgain(context: PayoutContext, payout: Payout): Promise<Next> {
  const { now } = context;
  const account = await readyAccount(context, payout);
  if (account === null || typeof account === 'number') return account;
  const isOther = (account.changed_at ?? 0) >= payout.changed_at;
  const tryAt = payout.try_at ?? 0;
  if (!isOther && now() < tryAt) return Math.min(tryAt, now() + HOUR_MS);
  const anew = { state: 'requested', sent_id: null, try_at: null, note: null } as const;
  return write(context, payout, { ...anew, tries: payout.tries + 1 });
}

/**
 * Where a payout may be sent now; or else says why it waits. Another bank account is what the
 * creator of a payout that failed was asked for: it holds any other payout, while another password
 * or email address holds this one too.
 * @returns when to look again, in UTC milliseconds, while it waits; null without an account
 */
async function readyAccount(
  context: PayoutContext,
  payout: Payout,
): Promise<PayoutAccount | number | null> {
  const { db, now } = context;
  const account = await followAccount(context, payout.account_id);
  if (!account) return null;
  const watched = payout.failures === 0 ? account : undefined;
  const hold = await findHold(db, payout.owner_id, watched, now());
  if (hold) return wait(context, payout, hold.said, hold.until);
  if (account.is_ready) return account;
  return wait(context, payout, describeMissing(JSON.parse(account.missing)));
}

/** Somebody at the provider may have taken a transfer back without being asked by this product. */
async function isBackUnasked(context: PayoutContext, payout: Payout): Promise<boolean> {
  if (payout.transfer_id === null) return false;
  const found = await context.provider.findTransfer(payout.id);
  if (!found?.reversed) return false;
  const because = texts('The operator reversed it at the payment provider.');
  await write(context, payout, { returning_because: because });
  return true;
}

/** Brings the transfer back, if there is one, and then books the payout back. */
async function bringBack(context: PayoutContext, payout: Payout): Promise<Next> {
  const { db, provider, now } = context;
  const found = await provider.findTransfer(payout.id);
  if (found && !found.reversed) {
    try {
      const idempotencyKey = keyOf('back', payout);
      await provider.reverseTransfer({ transferId: found.id, idempotencyKey });
    } catch (error) {
      if (!(error instanceof InsufficientFundsError)) throw error;
      await db
        .updateTable('payout')
        .set({ tries: payout.tries + 1 })
        .where('id', '=', payout.id)
        .where('tries', '=', payout.tries)
        .execute();
      return now() + HOUR_MS;
    }
  }
  const because = payout.returning_because ?? '';
  await transaction(db, (trx) => bookBack(trx, payout.id, { because, tell: true }, now()));
  return null;
}

/** Says why a payout waits. @param until when to look again at the latest, in UTC milliseconds */
async function wait(
  context: PayoutContext,
  payout: Payout,
  why: Fact,
  until = Number.POSITIVE_INFINITY,
): Promise<number> {
  const note = keepFact(why);
  if (payout.note !== note) await write(context, payout, { note });
  return Math.min(until, context.now() + HOUR_MS);
}

/**
 * Writes what a step led to, unless another process took the payout elsewhere meanwhile; either way
 * what follows is decided afresh. @param notice what the creator is mailed
 */
async function write(
  { db, now }: PayoutContext,
  { id, state, tries, failures }: Payout,
  changes: UpdateObject<Tables, 'payout'>,
  notice?: 'sent' | 'paid' | 'failed',
): Promise<'now'> {
  await transaction(db, async (trx) => {
    const written = await trx
      .updateTable('payout')
      .set(changes)
      .where('id', '=', id)
      .where('state', '=', state)
      .where('tries', '=', tries)
      .where('failures', '=', failures)
      .where('returning_because', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (!written) return;
    if (notice) await enqueue(trx, 'send-payout-notice', { payoutId: id, notice }, now());
    if (notice === 'paid') await tellPaid(trx, written, now());
    announcePayout(trx, written);
  });
  return 'now';
}

/** Tells webhooks of a payout that has arrived. */
async function tellPaid(trx: DatabaseTransaction, payout: Payout, now: number): Promise<void> {
  const { id, owner_id: ownerId, amount_cents: amount, cost_cents: cost } = payout;
  const told = {
    id,
    amount,
    cost,
    arrives: arrivesOf(payout),
    currency: 'usd',
    bankAccount: payout.bank_account,
    test: payout.mode === 'test',
  };
  await tellHooks(trx, { type: 'payout.paid', ownerId, data: { payout: told } }, now);
}
