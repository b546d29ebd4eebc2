import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';
import type { Link } from '../../catalog/links/tables.ts';

type LinkColumn = keyof Link;

/** What tells whether a link is offered. */
export const OFFERED: LinkColumn[] = ['id', 'deleted_at', 'taken_down_at'];
/** A link's place in any list, of those that are offered. */
export const PLACED: LinkColumn[] = ['id', 'created_at', 'price_cents'];

/** Of `limits`. */
const LIMITS: LinkColumn[] = ['type', 'copies', 'sold_until', 'license_keys'];
const HOLD: LinkColumn[] = ['owner_id', 'unlocked', 'taken_down_at', ...LIMITS];

/** The columns that fields of a link are read from; all other fields need them all. */
const COLUMNS: Record<string, LinkColumn[]> = {
  __typename: [],
  id: [],
  owner: ['owner_id'],
  mine: ['owner_id'],
  seller: ['owner_id'],
  sellerHandle: ['owner_id'],
  sellerPicture: ['owner_id'],
  statistics: ['owner_id'],
  pending: ['type'],
  hold: HOLD,
  holdFact: HOLD,
  copies: ['owner_id', ...LIMITS],
  left: ['unlocked', ...LIMITS],
  until: LIMITS,
  licenses: ['license_keys'],
  devices: ['license_devices'],
  price: ['price_cents'],
  least: ['least_cents'],
  createdAt: ['created_at'],
  deletedAt: ['deleted_at'],
  type: ['type'],
  title: ['title'],
  description: ['description'],
  cover: ['cover', 'cover_width', 'cover_height'],
  preview: ['preview'],
  previewFile: ['preview_blob', 'preview_media_type', 'preview_width', 'preview_height'],
  previewFailed: ['owner_id', 'preview_failed'],
  choice: ['choice', 'choice_group'],
  stamp: ['stamp'],
  stampFailed: ['owner_id', 'stamp_failed'],
  noindex: ['noindex'],
  unlisted: ['unlisted'],
  short: ['owner_id', 'short_name'],
  paused: ['paused'],
  free: ['unlocked'],
  size: ['size_bytes'],
  mediaType: ['media_type'],
  fileCount: ['type'],
  version: ['content_version'],
  versions: ['owner_id'],
  updatedAt: ['updated_at'],
};

/** By the node of the query, which is kept as long as the query itself. */
const known = new WeakMap<FieldNode, LinkColumn[] | null>();

/**
 * The columns of a link that a query asks for, null for all of them.
 * @param always what is read besides
 * @param under the fields that lead from the one being resolved to the link
 */
export function selectColumns(
  info: GraphQLResolveInfo,
  always: LinkColumn[],
  under: string[] = [],
): LinkColumn[] | null {
  const [node] = info.fieldNodes;
  if (!node || info.fieldNodes.length > 1) return null;
  let columns = known.get(node);
  if (columns !== undefined) return columns;
  const fields = under
    .reduce(
      (nodes, name) =>
        nodes
          .flatMap((each) => fieldsOf(each.selectionSet, info))
          .filter((field) => field.name.value === name),
      [node],
    )
    .flatMap((each) => fieldsOf(each.selectionSet, info));
  const needed = fields.map(({ name }) => COLUMNS[name.value]);
  columns = needed.every((each) => each !== undefined)
    ? [...new Set([...always, ...needed.flat()])].sort()
    : null;
  known.set(node, columns);
  return columns;
}

/** Fragments written out. */
function fieldsOf(
  set: SelectionSetNode | undefined,
  { fragments }: GraphQLResolveInfo,
): FieldNode[] {
  return (set?.selections ?? []).flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
    return fieldsOf(inner?.selectionSet, { fragments } as GraphQLResolveInfo);
  });
}
