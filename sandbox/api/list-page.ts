import type { z } from 'zod';
import type { Scope } from '../scope.ts';
import type { Kind } from '../store/kinds.ts';
import type { ListQuery } from '../store/list-objects.ts';
import { createdRange, integer, text } from './param-types.ts';

/** What every list takes. */
export const listShape = {
  created: createdRange().optional(),
  ending_before: text().optional(),
  limit: integer(1, 100).default(10),
  starting_after: text().optional(),
};

type ListParams = z.infer<z.ZodObject<typeof listShape>>;

/** A page of the account's objects of a kind, newest first, in the provider's list shape. */
export function listPage(
  scope: Scope,
  kind: Kind,
  url: string,
  { created, ending_before, limit, starting_after }: ListParams,
  fields: ListQuery['fields'] = {},
) {
  const { data, hasMore } = scope.objects.list(kind, {
    created,
    endingBefore: ending_before,
    fields,
    limit,
    startingAfter: starting_after,
  });
  return { object: 'list', data, has_more: hasMore, url };
}
