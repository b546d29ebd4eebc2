import type { Database } from '../../ground/database/tables.ts';
import { readPage } from '../../ground/lib/newest-first.ts';
import type {} from './tables.ts';

/**
 * What visitors reported, newest first.
 * @param token where the last page ended; null for the first one
 * @throws DomainError INVALID_INPUT for a token of another list
 */
export function listReports(
  db: Database,
  { token, isOpen }: { token: string | null; isOpen: boolean },
) {
  const reports = db
    .selectFrom('report')
    .innerJoin('link', 'link.id', 'report.link_id')
    .select(['report.id', 'report.link_id as linkId', 'link.title', 'reason', 'words', 'email'])
    .select(['report.created_at as createdAt', 'closed_at as closedAt'])
    .$if(isOpen, (query) => query.where('closed_at', 'is', null));
  return readPage(reports, {
    list: 'reports',
    by: ['report.created_at', 'report.id'],
    placeOf: ({ createdAt: time, id }) => ({ time, id }),
    token,
  });
}
