import { fact } from '../../../contract/fact.ts';
import type { PriceTerms } from '../../../contract/link-rules.ts';
import { reserveLinkId } from '../../files/link-id.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database } from '../../ground/database/tables.ts';
import { announce, transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { requirePrice } from './bundles.ts';
import { refuseOneTooMany } from './count-links.ts';
import { indexWords } from './index-words.ts';
import { addVersion, type ContentInput, resolveContent } from './link-content.ts';
import { choosePreview } from './preview.ts';
import type { Link, LinkType } from './tables.ts';
import { tellLink } from './tell-link.ts';
import {
  validateCopies,
  validateDescription,
  validateLeast,
  validatePrice,
  validateTitle,
  validateUntil,
} from './validate.ts';

interface Context extends PriceTerms {
  db: Database;
  now: () => number;
  /** Links on sale of an account; any number unless given. */
  quotaLinks?: number | null;
}

export interface CreateLinkInput extends ContentInput {
  ownerId: string;
  id?: string | null;
  type: string;
  /** Cents. */
  price: number;
  /** Cents: the smallest price that buyers may name. */
  least?: number | null;
  /** How many are sold; 0 for any number. */
  copies?: number | null;
  /** ISO 8601; '' for no end. */
  until?: string | null;
  unlocked?: boolean | null;
  title?: string | null;
  description?: string | null;
  noindex?: boolean | null;
  unlisted?: boolean | null;
  /** One of PREVIEWS. */
  preview?: string | null;
}

/**
 * Puts a finished upload, a web address or several links together on sale.
 * @throws DomainError INVALID_PRICE, INVALID_TITLE, INVALID_DESCRIPTION, INVALID_LINK_TYPE,
 * INVALID_PAYWALL_DATA, INVALID_KEY, INVALID_URL, INVALID_LINK_ID, LINK_ID_TAKEN,
 * INVALID_PARTS, QUOTA_EXCEEDED, INVALID_INPUT for a preview that does not fit
 */
export async function createLink(
  context: Context,
  { ownerId, ...input }: CreateLinkInput,
): Promise<Link> {
  const { db, now } = context;
  const createdAt = now();
  const type = validateType(input.type);
  return transaction(db, async (trx) => {
    // As on the page: what is sold is asked for before the price (specification §5).
    const content = await resolveContent(trx, ownerId, type, input);
    validatePrice(input.price, context);
    const least = input.least == null ? null : validateLeast(input.least, input.price, context);
    const copies = validateCopies(input.copies ?? 0);
    const until = validateUntil(input.until ?? '');
    const title = validateTitle(input.title);
    const description = validateDescription(input.description);
    const unlocked = Number(input.unlocked || least === 0);
    if (type === 'bundle') requirePrice(unlocked);
    const wanted = input.id ?? content.files[0]?.link_id;
    const id = await reserveLinkId(trx, { ownerId, id: wanted }, createdAt);
    const [link] = await insertLink(trx, {
      id,
      owner_id: ownerId,
      type,
      title,
      description,
      ...content.columns,
      price_cents: input.price,
      least_cents: least,
      copies,
      sold_until: until,
      unlocked,
      noindex: Number(input.noindex ?? false),
      unlisted: Number(input.unlisted ?? false),
      created_at: createdAt,
    });
    if (!link)
      throw new DomainError('LINK_ID_TAKEN', fact("The link id '{id}' is already in use.", { id }));
    await refuseOneTooMany(trx, ownerId, context.quotaLinks);
    await addVersion(trx, link, content, createdAt);
    await indexWords(trx, link, { isNew: true });
    announce(trx, { kind: 'link-created', id, ownerId });
    const created = await choosePreview(trx, link, null, input.preview, createdAt);
    await tellLink(trx, 'link.created', created, createdAt);
    return created;
  });
}

type NewLink = Pick<
  Link,
  | 'key'
  | 'url'
  | 'size_bytes'
  | 'media_type'
  | 'id'
  | 'owner_id'
  | 'type'
  | 'title'
  | 'description'
  | 'price_cents'
  | 'least_cents'
  | 'copies'
  | 'sold_until'
  | 'unlocked'
  | 'noindex'
  | 'unlisted'
  | 'created_at'
>;

const insertLink = prepare((db, link: NewLink) =>
  db
    .insertInto('link')
    .values({
      id: link.id,
      owner_id: link.owner_id,
      type: link.type,
      title: link.title,
      description: link.description,
      key: link.key,
      url: link.url,
      size_bytes: link.size_bytes,
      media_type: link.media_type,
      content_version: 1,
      price_cents: link.price_cents,
      least_cents: link.least_cents,
      copies: link.copies,
      sold_until: link.sold_until,
      unlocked: link.unlocked,
      paused: 0,
      noindex: link.noindex,
      unlisted: link.unlisted,
      version: 1,
      created_at: link.created_at,
      updated_at: link.created_at,
      deleted_at: null,
      taken_down_at: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll(),
);

function validateType(type: string): LinkType {
  if (type === 'file' || type === 'link' || type === 'bundle') return type;
  throw new DomainError(
    'INVALID_LINK_TYPE',
    "The type of a link must be 'file', 'link' or 'bundle'.",
  );
}
