import { randomBytes } from 'node:crypto';
import { checkChoice } from '../../../contract/choice-rules.ts';
import { type Fact, fact } from '../../../contract/fact.ts';
import { MAX_CHOICES, MIN_CHOICES } from '../../../contract/limits.ts';
import { tidyTitle } from '../../../contract/link-rules.ts';
import type {
  Database,
  DatabaseContext,
  DatabaseTransaction,
} from '../../ground/database/tables.ts';
import { announce, transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { findOwnLink, type LinkAuthor } from './queries.ts';
import type { Link } from './tables.ts';
import { tellLink } from './tell-link.ts';

/** A link as one of several, under a name of its own: "PDF", "PDF and sources". */
export interface Choice {
  id: string;
  name: string;
}

/**
 * Makes links the choices of one thing, in this order, in place of those that the link was among: each
 * stays what it is, and its page leads to the others.
 * @param choices with the link itself among them; none for a link that is sold by itself again
 * @returns the link
 * @throws DomainError LINK_NOT_FOUND, UNAUTHORIZED, INVALID_CHOICES
 */
export async function setChoices(
  { db, now }: DatabaseContext,
  { author, id, choices }: { author: LinkAuthor; id: string; choices: Choice[] },
): Promise<Link> {
  const chosen = choices.map((choice) => ({ ...choice, name: tidyTitle(choice.name) }));
  const setAt = now();
  return transaction(db, async (trx) => {
    const link = await findOwnLink(trx, author, id);
    if (chosen.length > 0) requireChoices(chosen, id);
    if (link.choice_group !== null) await leaveGroup(trx, link, setAt);
    const group = randomBytes(8).toString('hex');
    const placed = chosen.map((choice, place) => ({ ...choice, group, place }));
    // In one order, whatever theirs is: of two that lock the same links none waits for the other.
    for (const choice of placed.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
      await joinGroup(trx, link.owner_id, choice, setAt);
    }
    return findOwnLink(trx, author, id);
  });
}

function requireChoices(choices: Choice[], id: string): void {
  const ids = new Set(choices.map((choice) => choice.id));
  const names = new Set(choices.map(({ name }) => name.toLowerCase()));
  const isInBounds = choices.length >= MIN_CHOICES && choices.length <= MAX_CHOICES;
  if (!isInBounds || ids.size < choices.length) {
    throw refused(
      fact('Offer {min} to {max} different links of yours as choices.', {
        min: MIN_CHOICES,
        max: MAX_CHOICES,
      }),
    );
  }
  if (!ids.has(id)) throw refused(fact('The link itself must be one of its choices.'));
  for (const { name } of choices) {
    const fault = checkChoice(name);
    if (fault) throw refused(fault);
  }
  if (names.size < choices.length) throw refused(fact('Give each choice a name of its own.'));
}

const refused = (why: Fact) => new DomainError('INVALID_CHOICES', why);

/** Of a link that is sold by itself. */
export const ALONE = { choice_group: null, choice: null, choice_place: null };

async function leaveGroup(trx: DatabaseTransaction, link: Link, now: number): Promise<void> {
  const left = await trx
    .updateTable('link')
    .set((update) => ({ ...ALONE, version: update('version', '+', 1), updated_at: now }))
    .where('owner_id', '=', link.owner_id)
    .where('choice_group', '=', link.choice_group)
    .returningAll()
    .execute();
  for (const each of left) await tellOf(trx, each, now);
}

/** The condition is what settles a race: of two groups, one gets the link. */
async function joinGroup(
  trx: DatabaseTransaction,
  ownerId: string,
  { id, name, group, place }: Choice & { group: string; place: number },
  now: number,
): Promise<void> {
  const joined = await trx
    .updateTable('link')
    .set((update) => ({
      choice_group: group,
      choice: name,
      choice_place: place,
      version: update('version', '+', 1),
      updated_at: now,
    }))
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .where('choice_group', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (joined) return tellOf(trx, joined, now);
  const other = await trx
    .selectFrom('link')
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .select('id')
    .executeTakeFirst();
  throw refused(
    other
      ? fact('The link {id} is among the choices of another link.', { id })
      : fact('You have no link with the ID “{id}”. Choose another one.', { id }),
  );
}

async function tellOf(trx: DatabaseTransaction, link: Link, now: number): Promise<void> {
  if (link.deleted_at !== null) return;
  announce(trx, { kind: 'link-updated', id: link.id, ownerId: link.owner_id });
  await tellLink(trx, 'link.updated', link, now);
}

/** All links of a group, in their order. */
export function linksOfGroup(db: Database, group: string): Promise<Link[]> {
  return db
    .selectFrom('link')
    .where('choice_group', '=', group)
    .orderBy('choice_place')
    .selectAll()
    .execute();
}
