import { fact, type Said, texts } from '../../../contract/fact.ts';
import type { Actor } from '../../ground/acts/operator-of.ts';
import { recordAct } from '../../ground/acts/record-act.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { readReason } from '../../ground/lib/read-reason.ts';
import { requireFreshSignIn } from '../../ground/lib/viewer.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { announcePayout, bookBack, bookPayout } from './book-payout.ts';
import type { PayoutContext, PayoutTerms } from './context.ts';
import { type PayoutView, viewPayout } from './list-payouts.ts';
import { findPayoutAccount } from './payout-account.ts';
import { findHold, findObstacle, leastOf, readBalance } from './read-money.ts';
import type { Payout } from './tables.ts';

interface PayoutRequest {
  ownerId: string;
  /** UTC milliseconds. */
  signedInAt: number;
  /** Cents, with what the payout costs; all that is available unless given. */
  amountCents?: number | null | undefined;
}

/** How long after signing in a payout may be asked for, in milliseconds. */
const FRESH_MS = 10 * 60 * 1000;

/**
 * Takes a payout from a creator's balance and has it sent.
 * @throws DomainError SESSION_NOT_FRESH, PAYOUT_REFUSED with the reason in a sentence
 */
export async function requestPayout(
  context: PayoutContext,
  { ownerId, signedInAt, amountCents }: PayoutRequest,
): Promise<PayoutView> {
  const { db, provider, terms, now } = context;
  requireFreshSignIn({ signedInAt }, now(), FRESH_MS);
  const provider_account = await context.account();
  const payout = await transaction(db, async (trx) => {
    await lockBalance(trx, ownerId, provider.mode);
    const balance = await readBalance(context, trx, ownerId);
    const account = await findPayoutAccount(trx, ownerId, provider.mode);
    const hold = await findHold(trx, ownerId, account, now());
    const obstacle = findObstacle(terms, { balance, account, hold });
    if (obstacle !== null || !account) throw refusal(obstacle ?? '');
    const askedCents = amountCents ?? balance.availableCents;
    requireAmount(terms, askedCents, balance.availableCents);
    const { owner_id, mode, account_id, bank_account } = account;
    const asked = { amount_cents: askedCents, cost_cents: terms.costCents };
    const to = { owner_id, mode, provider_account, account_id, bank_account };
    const booked = await bookPayout(trx, { ...to, ...asked }, now());
    announcePayout(trx, booked);
    return booked;
  });
  return viewPayout(payout);
}

/** Of a hundred requests at once, each reads what the one before it has left. */
async function lockBalance(trx: Database, ownerId: string, mode: Payout['mode']): Promise<void> {
  await trx
    .updateTable('user_balance')
    .set(({ ref }) => ({ balance_cents: ref('balance_cents') }))
    .where('owner_id', '=', ownerId)
    .where('mode', '=', mode)
    .execute();
}

function requireAmount(terms: PayoutTerms, askedCents: number, availableCents: number): void {
  const leastCents = leastOf(terms);
  if (!Number.isSafeInteger(askedCents) || askedCents < leastCents) {
    throw refusal(fact('The minimum payout is {least}.', { least: { cents: leastCents } }));
  }
  if (askedCents > availableCents) {
    throw refusal(
      fact('{amount} is more than the {available} available.', {
        amount: { cents: askedCents },
        available: { cents: availableCents },
      }),
    );
  }
}

const refusal = (said: Said) => new DomainError('PAYOUT_REFUSED', said);

/** What it takes to decide about a payout that was asked for. */
/**
 * Takes a payout back that the provider was not asked to send yet.
 * @throws DomainError NOT_FOUND, PAYOUT_REFUSED
 */
export async function cancelPayout(
  context: DatabaseContext,
  { ownerId, payoutId }: { ownerId: string; payoutId: string },
): Promise<void> {
  const payout = await findPayout(context, payoutId);
  if (payout.owner_id !== ownerId) throw unknownPayout();
  await endUnsent(context, payoutId, { because: texts('You canceled it.'), tell: false });
}

/** Lets a payout that waits for the operator be sent. @throws DomainError NOT_FOUND, PAYOUT_REFUSED */
export async function approvePayout(
  context: DatabaseContext,
  actor: Actor,
  payoutId: string,
): Promise<void> {
  const { state } = await findPayout(context, payoutId);
  const at = context.now();
  await transaction(context.db, async (trx) => {
    const approved = await trx
      .updateTable('payout')
      .set({ approved_at: at, note: null, changed_at: at })
      .where('id', '=', payoutId)
      .where('approved_at', 'is', null)
      .where('state', '=', 'requested')
      .returningAll()
      .executeTakeFirst();
    if (!approved)
      throw refusal(
        fact('It is not waiting for approval: it is {state}.', { state: { text: state } }),
      );
    await enqueue(trx, 'follow-payout', { payoutId, once: true }, at);
    const subject = { kind: 'payout', id: payoutId } as const;
    await recordAct(trx, actor, { act: 'payout.approved', subject }, at);
    announcePayout(trx, approved);
  });
}

/**
 * Books a payout back that the provider was not asked to send yet; the creator is mailed the reason.
 * @throws DomainError NOT_FOUND, INVALID_INPUT without a reason, PAYOUT_REFUSED
 */
export async function refusePayout(
  context: DatabaseContext,
  actor: Actor,
  { payoutId, reason: words }: { payoutId: string; reason: string },
): Promise<void> {
  const because = readReason(words);
  await findPayout(context, payoutId);
  await endUnsent(context, payoutId, { because, tell: true, actor });
}

async function endUnsent(
  { db, now }: DatabaseContext,
  payoutId: string,
  { actor, ...end }: { because: string; tell: boolean; actor?: Actor },
): Promise<void> {
  await transaction(db, async (trx) => {
    const ended = await trx
      .updateTable('payout')
      .set({ returning_because: end.because })
      .where('id', '=', payoutId)
      .where('state', '=', 'requested')
      .where('asked_at', 'is', null)
      .where('returning_because', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!ended) throw refusal('This payout is already on its way or completed.');
    await bookBack(trx, payoutId, end, now());
    if (!actor) return;
    const subject = { kind: 'payout', id: payoutId } as const;
    await recordAct(trx, actor, { act: 'payout.refused', subject, reason: end.because }, now());
  });
}

async function findPayout({ db }: DatabaseContext, payoutId: string): Promise<Payout> {
  const payout = await db
    .selectFrom('payout')
    .selectAll()
    .where('id', '=', payoutId)
    .executeTakeFirst();
  if (!payout) throw unknownPayout();
  return payout;
}

const unknownPayout = () => new DomainError('NOT_FOUND', 'There is no such payout.');
