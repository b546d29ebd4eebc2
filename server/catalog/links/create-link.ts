import { fact } from '../../../contract/fact.ts';
import type { PriceTerms } from '../../../contract/link-rules.ts';
import { reserveLinkId } from '../../files/link-id.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { announce, transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { requirePrice } from './bundles.ts';
import { refuseOneTooMany } from './count-links.ts';
import { indexWords } from './index-words.ts';
import { addVersion, type ContentInput, type LinkContent, resolveContent } from './link-content.ts';
import { choosePreview } from './preview.ts';
import { chooseStamp } from './stamp.ts';
import type { Link, LinkType } from './tables.ts';
import { tellLink } from './tell-link.ts';
import { keepDetails, type LinkDetails, validateLeast, validatePrice } from './validate.ts';

export interface LinkContext extends PriceTerms, DatabaseContext {
  /** Links on sale of an account; any number unless given. */
  quotaLinks?: number | null;
}

/** What a creator says of a link. */
export interface LinkInput extends ContentInput, LinkDetails {
  /** Cents. */
  price?: number | null;
  /** Cents: the minimum price that buyers may name. */
  least?: number | null;
  unlocked?: boolean | null;
  /** One of PREVIEWS. */
  preview?: string | null;
  /** Whether each page of a PDF carries its buyer. */
  stamp?: boolean | null;
}

export interface CreateLinkInput extends LinkInput {
  ownerId: string;
  id?: string | null;
  type: string;
  price: number;
}

/**
 * Puts a finished upload, a web address or several links together on sale.
 * @throws DomainError INVALID_PRICE, INVALID_TITLE, INVALID_DESCRIPTION, INVALID_LINK_TYPE,
 * INVALID_PAYWALL_DATA, INVALID_KEY, INVALID_URL, INVALID_LINK_ID, LINK_ID_TAKEN,
 * INVALID_PARTS, QUOTA_EXCEEDED, INVALID_INPUT for a preview or a stamp that does not fit
 */
export async function createLink(
  context: LinkContext,
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
    const details = { ...NO_DETAILS, ...keepDetails(input) };
    const unlocked = Number(input.unlocked || least === 0);
    if (type === 'bundle') requirePrice(unlocked);
    const wanted = input.id ?? content.files[0]?.link_id;
    const id = await reserveLinkId(trx, { ownerId, id: wanted }, createdAt);
    const [link] = await insertLink(trx, {
      id,
      owner_id: ownerId,
      type,
      ...details,
      ...content.columns,
      price_cents: input.price,
      least_cents: least,
      unlocked,
      created_at: createdAt,
    });
    if (!link)
      throw new DomainError('LINK_ID_TAKEN', fact("The link id '{id}' is already in use.", { id }));
    await refuseOneTooMany(trx, ownerId, context.quotaLinks);
    await addVersion(trx, link, content, createdAt);
    await indexWords(trx, link, { isNew: true });
    announce(trx, { kind: 'link-created', id, ownerId });
    const shown = await choosePreview(trx, link, null, input.preview, createdAt);
    const created = await chooseStamp(trx, shown, null, input.stamp, createdAt);
    await tellLink(trx, 'link.created', created, createdAt);
    return created;
  });
}

const NO_DETAILS = {
  copies: null,
  sold_until: null,
  title: null,
  description: null,
  noindex: 0,
  unlisted: 0,
};

type NewLink = LinkContent['columns'] &
  Pick<Link, 'id' | 'owner_id' | 'type' | keyof typeof NO_DETAILS> &
  Pick<Link, 'price_cents' | 'least_cents' | 'unlocked' | 'created_at'>;

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
