import { sql } from 'kysely';
import { FIXED_PRICE, type PriceTerms } from '../../../contract/link-rules.ts';
import { TEXTS } from '../../../contract/texts.ts';
import type { Database } from '../../ground/database/tables.ts';
import { announce, transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { enqueue } from '../../ground/outbox/jobs.ts';
import { requirePrice } from './bundles.ts';
import type { LinkContext, LinkInput } from './create-link.ts';
import { indexWords } from './index-words.ts';
import { type LinkContent, readContent, replaceContent, resolveContent } from './link-content.ts';
import { choosePreview } from './preview.ts';
import { findOwnLink, type LinkAuthor } from './queries.ts';
import { takeShortName } from './short-names.ts';
import { chooseStamp } from './stamp.ts';
import type { Link } from './tables.ts';
import { tellLink } from './tell-link.ts';
import { keepDetails, validateDevices, validateLeast, validatePrice } from './validate.ts';

/** `least` is FIXED_PRICE for a price that buyers do not name. */
export interface UpdateLinkInput extends LinkInput {
  author: LinkAuthor;
  id: string;
  /** One that the link has had, whose content it sells again. */
  version?: number | null;
  /** Mails the buyers who want to know, if the content is new. */
  tellBuyers?: boolean | null;
  /** What its short address ends with; '' for none. */
  short?: string | null;
  paused?: boolean | null;
  /** Which license keys later buyers get: 'generated' or 'list'; '' for none. */
  licenses?: string | null;
  /** On how many devices each may be used; 0 for any number. */
  devices?: number | null;
}

/**
 * Changes what is given; absent and null fields stay as they are. Other content becomes the link's
 * next version: buyers keep the one they bought.
 * @throws DomainError LINK_NOT_FOUND, UNAUTHORIZED, those of createLink, of takeShortName and of
 * readContent
 */
export async function updateLink(
  context: LinkContext,
  { author, ...input }: UpdateLinkInput,
): Promise<Link> {
  const { db, now } = context;
  const updatedAt = now();
  return transaction(db, async (trx) => {
    const link = await findOwnLink(trx, author, input.id);
    const content = await findContent(trx, link, input);
    if (input.price != null) validatePrice(input.price, context);
    const least = chooseLeast(link, input, context);
    const shortName = input.short == null ? undefined : await takeShortName(trx, link, input.short);
    const licenses = input.licenses == null ? undefined : validateLicenses(input.licenses);
    // Written first: it locks the row, so that parallel updates replace the content one by one.
    const updated = await trx
      .updateTable('link')
      .set((update) => ({
        ...(input.price != null && { price_cents: input.price }),
        ...(input.unlocked != null && { unlocked: Number(input.unlocked) }),
        ...(least !== undefined && {
          least_cents: least,
          unlocked: Number(least === 0 || (input.unlocked ?? keepsFree(link))),
        }),
        ...keepDetails(input),
        ...(shortName !== undefined && { short_name: shortName }),
        ...(input.paused != null && { paused: Number(input.paused) }),
        ...(licenses !== undefined && { license_keys: licenses ?? NO_MORE_KEYS }),
        ...(input.devices != null && { license_devices: validateDevices(input.devices) }),
        version: update('version', '+', 1),
        updated_at: updatedAt,
      }))
      .where('id', '=', link.id)
      .where('deleted_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (!updated) throw new DomainError('LINK_NOT_FOUND', TEXTS.linkNotFound);
    if (link.type === 'bundle') requirePrice(updated.unlocked);
    const { id: linkId, owner_id: ownerId } = link;
    if (endsKeys(link, updated)) {
      // By now all that were promised one have begun: they hold the link.
      await enqueue(trx, 'end-checkouts', { ownerId, linkId, keysEndedAt: now() }, updatedAt);
    } else if (endsCheckouts(link, updated)) {
      await enqueue(trx, 'end-checkouts', { ownerId, linkId }, updatedAt);
    }
    if (input.title != null || input.description != null) await indexWords(trx, updated);
    announce(trx, { kind: 'link-updated', id: link.id, ownerId: link.owner_id });
    const changed = content ? await replaceContent(trx, updated, content, updatedAt) : updated;
    const { content_version: version } = changed;
    // Not of the link as it was first read: another version may have come before the lock.
    if (input.tellBuyers && version > updated.content_version) {
      await enqueue(trx, 'announce-version', { linkId: link.id, version, after: '' }, updatedAt);
    }
    const shown = await choosePreview(trx, changed, updated, input.preview, updatedAt);
    const stamped = await chooseStamp(trx, shown, updated, input.stamp, updatedAt);
    await tellLink(trx, 'link.updated', stamped, updatedAt);
    return stamped;
  });
}

/** Those that were given stay, and are shown to whoever has them. */
const NO_MORE_KEYS = sql<'off' | null>`case when license_keys is null then null else 'off' end`;

/** Null for none. @throws DomainError INVALID_INPUT */
function validateLicenses(licenses: string): 'generated' | 'list' | null {
  if (licenses === 'generated' || licenses === 'list') return licenses;
  if (licenses === '') return null;
  const advice = "The license keys are 'generated', a 'list' of your own, or ''.";
  throw new DomainError('INVALID_INPUT', advice);
}

/**
 * From which price on buyers may name theirs; undefined where that stays as it is. Whoever makes a
 * link free, or takes money again for one that was, gives it a fixed price.
 */
function chooseLeast(
  link: Link,
  { price, least, unlocked }: Omit<UpdateLinkInput, 'author'>,
  terms: PriceTerms,
): number | null | undefined {
  const suggested = price ?? link.price_cents;
  if (least === FIXED_PRICE) return null;
  if (least != null) return validateLeast(least, suggested, terms);
  if (link.least_cents === null) return undefined;
  if (unlocked != null && unlocked !== (link.unlocked === 1)) return null;
  return price == null ? undefined : validateLeast(link.least_cents, suggested, terms);
}

/** A link whose buyers may pay nothing is free for that alone. */
const keepsFree = (link: Link) => link.unlocked === 1 && link.least_cents !== 0;

/** Whether nobody may pay what was offered before. */
function endsCheckouts(before: Link, after: Link): boolean {
  const isWithdrawn = after.paused > before.paused || after.unlocked > before.unlocked;
  const isRepriced =
    after.price_cents !== before.price_cents || after.least_cents !== before.least_cents;
  return isWithdrawn || isRepriced;
}

/** Whether later buyers get no license key any more. */
const endsKeys = ({ license_keys: before }: Link, { license_keys: after }: Link): boolean =>
  (before === 'generated' || before === 'list') && after === 'off';

/** What is to be sold from now on; null when nothing is said of it. */
async function findContent(
  db: Database,
  link: Link,
  { key, url, files, parts, version }: Omit<UpdateLinkInput, 'author'>,
): Promise<LinkContent | null> {
  const isGiven = key != null || url != null || files != null || parts != null;
  if (version == null) {
    return isGiven
      ? resolveContent(db, link.owner_id, link.type, { key, url, files, parts })
      : null;
  }
  if (isGiven) throw new DomainError('INVALID_PAYWALL_DATA', TEXTS.invalidPaywallData);
  return resolveContent(db, link.owner_id, link.type, await readContent(db, link, version));
}
