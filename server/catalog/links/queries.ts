import type { ExpressionBuilder } from 'kysely';
import { LINK_ID_PATTERN } from '../../../contract/limits.ts';
import { TEXTS } from '../../../contract/texts.ts';
import type { FileStore } from '../../files/file-store.ts';
import type { StoredFile } from '../../files/tables.ts';
import { prepare } from '../../ground/database/prepare.ts';
import type { Database, Tables } from '../../ground/database/tables.ts';
import { batchReads } from '../../ground/lib/batch-reads.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { Link } from './tables.ts';

/** What is needed to read links. */
export interface LinkReaders {
  db: Database;
  store: Pick<FileStore, 'sizeOf'>;
  /** Who an account sells as, read once for all links of a list. */
  findSeller(ownerId: string): Promise<LinkSeller>;
  /** The files that a link sells, in order, read once for all links of a list. */
  findFiles(linkId: string): Promise<StoredFile[]>;
  /** The parts of a bundle on sale, in order, read once for all bundles of a list. */
  findParts(linkId: string): Promise<Link[]>;
}

/** Who buyers are told they buy from. */
export interface LinkSeller {
  name: string | null;
  /** Of their own page, /s/{handle}; null where there is none. */
  handle: string | null;
  /** Of that page; null where there is none, and while the seller is suspended. */
  picture: { blob: string; width: number; height: number } | null;
  /** Whether there are discount codes of theirs, for some of their links or for all. */
  hasCodes: boolean;
}

/** A link of which perhaps not every column was read. */
export type LinkRow = Partial<Link> & Pick<Link, 'id'>;

/** One that is known to be offered or not. */
export type KnownLink = LinkRow & Pick<Link, 'deleted_at' | 'taken_down_at'>;

/** Neither deleted nor taken down. */
export function isOffered(link: Pick<Link, 'deleted_at' | 'taken_down_at'>): boolean {
  return link.deleted_at === null && link.taken_down_at === null;
}

/** Columns that are read of a link; null for all. */
export type LinkColumns = (keyof Link)[] | null;

const readLink = prepare((db, id: string) =>
  db.selectFrom('link').selectAll().where('id', '=', id),
);

/** Any link by its id, deleted and taken-down ones included. */
export async function findLink(db: Database, id: string): Promise<Link | undefined> {
  if (!LINK_ID_PATTERN.test(id)) return undefined;
  return (await readLink(db, id))[0];
}

type ReadRow = (db: Database, id: string) => Promise<KnownLink[]>;
/** Each list of columns is that of a query which is asked again and again. */
const rowReaders = new WeakMap<(keyof Link)[], ReadRow>();

/**
 * Some columns of a link on sale, by its id; all of one that is not.
 * @param columns among them those that tell the two apart
 */
export async function findLinkRow(
  db: Database,
  id: string,
  columns: LinkColumns,
): Promise<KnownLink | undefined> {
  if (columns === null || !LINK_ID_PATTERN.test(id)) return findLink(db, id);
  let read = rowReaders.get(columns);
  if (!read) {
    read = prepare((db, id: string) =>
      db.selectFrom('link').select(columns).where('id', '=', id),
    ) as ReadRow;
    rowReaders.set(columns, read);
  }
  const [row] = await read(db, id);
  return row && !isOffered(row) ? findLink(db, id) : row;
}

/** The files of a version of a link, in order; none of a web address. */
export const filesOfVersion = prepare((db, linkId: string, version: number) =>
  db
    .selectFrom('link_file')
    .innerJoin('file', 'file.key', 'link_file.file_key')
    .where('link_file.link_id', '=', linkId)
    .where('link_file.version', '=', version)
    .orderBy('link_file.position')
    .selectAll('file'),
);

const readFilesOnSale = prepare((db, linkIds: string[]) =>
  db
    .selectFrom('link')
    .innerJoin('link_file', (join) =>
      join
        .onRef('link_file.link_id', '=', 'link.id')
        .onRef('link_file.version', '=', 'link.content_version'),
    )
    .innerJoin('file', 'file.key', 'link_file.file_key')
    .where('link.id', 'in', linkIds)
    .orderBy('link_file.position')
    .selectAll('file')
    .select('link.id as sold_by'),
);

/** Finds the files that links sell: those of a list by one query. */
export function createFindFiles(db: Database): LinkReaders['findFiles'] {
  const read = batchReads(async (linkIds) => {
    const rows = await readFilesOnSale(db, linkIds);
    return Map.groupBy(rows, ({ sold_by }) => sold_by);
  });
  return async (linkId) => (await read(linkId)) ?? [];
}

/** The web address that a version of a link leads to; null for files. */
export async function findUrl(db: Database, link: Link, version: number): Promise<string | null> {
  if (version === link.content_version) return link.url;
  const found = await db
    .selectFrom('link_version')
    .where('link_id', '=', link.id)
    .where('number', '=', version)
    .select('url')
    .executeTakeFirst();
  return found?.url ?? null;
}

/** Who may change links: creators their own, the operator all. */
export type LinkAuthor = { kind: 'creator'; userId: string } | { kind: 'operator' };

/**
 * @param deletedToo a deleted one as well: it may be restored, and its buyers have it
 * @throws DomainError LINK_NOT_FOUND, UNAUTHORIZED
 */
export async function findOwnLink(
  db: Database,
  author: LinkAuthor,
  id: string,
  { deletedToo = false } = {},
): Promise<Link> {
  const link = await db
    .selectFrom('link')
    .selectAll()
    .where('id', '=', id)
    .$if(!deletedToo, (query) => query.where('deleted_at', 'is', null))
    .executeTakeFirst();
  if (!link) throw new DomainError('LINK_NOT_FOUND', TEXTS.linkNotFound);
  if (author.kind === 'creator' && author.userId !== link.owner_id) {
    throw new DomainError('UNAUTHORIZED', 'Not authorized to change this link.');
  }
  return link;
}

/** Whether the seller of a link has another one on sale that visitors may find. */
export const sellsOthers = ({ exists, selectFrom }: ExpressionBuilder<Tables, 'link'>) =>
  exists(
    selectFrom('link as other')
      .whereRef('other.owner_id', '=', 'link.owner_id')
      .whereRef('other.id', '!=', 'link.id')
      .where('other.deleted_at', 'is', null)
      .where('other.taken_down_at', 'is', null)
      .where('other.unlisted', '=', 0)
      .where('other.paused', '=', 0)
      .select('other.id'),
  ).as('sells_others');

const readVersions = prepare((db, id: string) =>
  db
    .selectFrom('link')
    .leftJoin('seller', 'seller.owner_id', 'link.owner_id')
    .where('link.id', '=', id)
    .where('link.deleted_at', 'is', null)
    .where('link.taken_down_at', 'is', null)
    .select(['link.version', 'seller.version as sellerVersion'])
    .select(['link.type', 'link.copies', 'link.sold_until', 'link.license_keys', sellsOthers])
    .select('link.choice_group'),
);

/** Grows with every change of a link and of what its seller is called; null when it is not offered. */
export async function readOfferVersion(db: Database, id: string): Promise<number | null> {
  const found = await findVersion(db, id);
  return found?.version ?? null;
}

/**
 * Another number for anything else that its page shows; null also where that changes by itself: then
 * it is to be looked at each time.
 */
export async function readPageVersion(db: Database, id: string): Promise<number | null> {
  const found = await findVersion(db, id);
  return found?.isLasting ? found.version * 2 + found.others : null;
}

async function findVersion(db: Database, id: string) {
  if (!LINK_ID_PATTERN.test(id)) return null;
  const [found] = await readVersions(db, id);
  if (!found) return null;
  const { type, copies, sold_until: soldUntil, license_keys: keys } = found;
  const isLimited = copies !== null || soldUntil !== null || keys === 'list';
  // The page of a bundle shows what its parts are and cost, that of a choice what the others do.
  const isLasting = type !== 'bundle' && found.choice_group === null && !isLimited;
  return {
    version: found.version + (found.sellerVersion ?? 0),
    others: Number(found.sells_others),
    isLasting,
  };
}

/**
 * A link whose type does not match its content can be neither sold nor delivered. None is created
 * that way, but an import or a manual repair may leave one.
 * @throws DomainError LINK_BROKEN
 */
export function requireDeliverable(link: Link): void {
  const content = link.type === 'file' ? link.key : link.type === 'link' && link.url;
  if (!content && link.type !== 'bundle')
    throw new DomainError('LINK_BROKEN', TEXTS.invalidPaywallData);
}

type FilterColumn = 'id' | 'type' | 'owner_id' | 'price_cents' | 'created_at';

/** Conditions on the public columns alone: a filter on key or url would leak them. */
export interface LinkCondition {
  column: FilterColumn;
  operator: '=' | '!=' | '<' | '<=' | '>' | '>=' | 'begins-with';
  value: string | number;
}
