import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Actor } from '../../ground/acts/operator-of.ts';
import { recordAct } from '../../ground/acts/record-act.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { readPage } from '../../ground/lib/newest-first.ts';
import { createSigner, type Signer } from '../../ground/lib/signer.ts';
import { DAY_MS } from '../../ground/lib/time.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { makeOperator } from '../operators/make-operator.ts';
import { accountAddress } from './account-address.ts';
import type { Invitation, InvitedRole } from './tables.ts';

/** How long one can be accepted after it was last sent. */
const VALID_FOR_MS = 7 * DAY_MS;

const ADDRESS = accountAddress('Give a valid email address.');

const INVITATION_TICKET = z.object({ invitationId: z.string() });
export type InvitationTicket = z.infer<typeof INVITATION_TICKET>;

/** Of the links in the emails, which are stored nowhere. */
export const createInvitationSigner = (secret: string): Signer<InvitationTicket> =>
  createSigner(secret, 'invitation', INVITATION_TICKET);

export interface InviteContext extends DatabaseContext {
  /** Who may create an account here. */
  signUp: 'open' | 'invite' | 'closed';
  /** Addresses of the accounts that may sell; null for every account. */
  sellers: readonly string[] | null;
}

/**
 * Invites an address by email, or again one that was invited: then the earlier link works as long
 * as the new one. An invited account takes effect when it next signs in.
 * @throws DomainError INVALID_INPUT with the reason in a sentence
 */
export async function invite(
  { db, now, signUp, sellers }: InviteContext,
  actor: Actor,
  { email: typed, role }: { email: string; role: InvitedRole },
): Promise<Invitation> {
  const { data: email, error } = ADDRESS.safeParse(typed);
  if (!email) throw refused(error?.issues[0]?.message ?? '');
  if (role === 'seller' && sellers !== null) {
    throw refused('Only the operator sells here: PAYOUTS is solo.');
  }
  const account = await db
    .selectFrom('user')
    .leftJoin('operator', 'operator.user_id', 'user.id')
    .where('email', '=', email)
    .select(['user.id', 'operator.granted_at'])
    .executeTakeFirst();
  if (account?.granted_at) throw refused('This account is an operator already.');
  if (account && role === 'seller') {
    throw refused('There is an account with this address already.');
  }
  if (!account && signUp === 'closed') {
    throw refused('No new accounts can be created: SIGN_UP is closed. Set it to invite.');
  }
  const sentAt = now();
  const times = { sent_at: sentAt, expires_at: sentAt + VALID_FOR_MS };
  return transaction(db, async (trx) => {
    const invitation = await trx
      .insertInto('invitation')
      .values({ id: randomUUID(), email, role, ...times, accepted_at: null, revoked_at: null })
      .onConflict((conflict) =>
        conflict
          .column('email')
          .where('accepted_at', 'is', null)
          .where('revoked_at', 'is', null)
          .doUpdateSet({ role, ...times }),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    const { id } = invitation;
    const by = actor.kind === 'account' ? { invitedBy: actor.id } : {};
    await enqueue(trx, 'send-invitation', { invitationId: id, ...by }, sentAt);
    const subject = { kind: 'invitation', id } as const;
    await recordAct(trx, actor, { act: `${role}.invited`, subject }, sentAt);
    return invitation;
  });
}

const refused = (why: string) => new DomainError('INVALID_INPUT', why);

/** @throws DomainError NOT_FOUND unless it can still be accepted or sent again */
export async function revokeInvitation(
  { db, now }: DatabaseContext,
  actor: Actor,
  id: string,
): Promise<void> {
  const revokedAt = now();
  await transaction(db, async (trx) => {
    const revoked = await trx
      .updateTable('invitation')
      .set({ revoked_at: revokedAt })
      .where('id', '=', id)
      .where('accepted_at', 'is', null)
      .where('revoked_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!revoked) throw new DomainError('NOT_FOUND', 'There is no open invitation with this ID.');
    const subject = { kind: 'invitation', id } as const;
    await recordAct(trx, actor, { act: 'invitation.revoked', subject }, revokedAt);
  });
}

const unused = (db: Database) =>
  db
    .selectFrom('invitation')
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .selectAll();

const open = (db: Database, now: number) => unused(db).where('expires_at', '>', now);

/** The invitation that this address, in its canonical form, may sign up with now. */
export function findInvitationTo(
  db: Database,
  email: string,
  now: number,
): Promise<Invitation | undefined> {
  return open(db, now).where('email', '=', email).executeTakeFirst();
}

/** The invitation that a link in an email names, while it can be accepted. */
export async function findInvitation(
  { db, now, signer }: DatabaseContext & { signer: Signer<InvitationTicket> },
  token: string,
): Promise<Invitation | undefined> {
  const ticket = signer.read(token);
  return ticket
    ? open(db, now()).where('id', '=', ticket.invitationId).executeTakeFirst()
    : undefined;
}

/**
 * Gives an account, whose address is confirmed, what it was invited to. An invitation is used once.
 * @param now UTC milliseconds
 */
export async function acceptInvitation(
  db: Database,
  { id, email }: { id: string; email: string },
  now: number,
): Promise<void> {
  if (!(await findInvitationTo(db, email, now))) return;
  await transaction(db, async (trx) => {
    const accepted = await trx
      .updateTable('invitation')
      .set({ accepted_at: now })
      .where('email', '=', email)
      .where('accepted_at', 'is', null)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('role')
      .executeTakeFirst();
    if (accepted?.role !== 'operator') return;
    await makeOperator(trx, { kind: 'account', id, email }, id, now);
  });
}

/**
 * Invitations that were neither accepted nor revoked, expired ones included, the newest first.
 * @param token where the last page ended; null for the first one
 * @throws DomainError INVALID_INPUT for a token of another list
 */
export function listInvitations(db: Database, token: string | null) {
  return readPage(unused(db), {
    list: 'invitations',
    by: ['sent_at', 'id'],
    placeOf: ({ sent_at: time, id }) => ({ time, id }),
    token,
  });
}
