import type { ModerationReason } from '../../../contract/moderation.ts';
import type { Database } from '../../ground/database/tables.ts';
import { ROWS_OF_PAGE, readToken, toPage } from '../../ground/lib/newest-first.ts';

export interface ReportView {
  id: string;
  linkId: string;
  title: string | null;
  reason: ModerationReason;
  words: string;
  email: string | null;
  /** UTC milliseconds. */
  createdAt: number;
  closedAt: number | null;
}

/**
 * What visitors reported, newest first, by keyset.
 * @param token where the last page ended; null for the first one
 * @throws DomainError INVALID_INPUT for a token of another list
 */
export async function listReports(
  db: Database,
  { token, isOpen }: { token: string | null; isOpen: boolean },
): Promise<{ reports: ReportView[]; nextToken: string | null }> {
  const after = token === null ? null : readToken('reports', token);
  const rows = await db
    .selectFrom('report')
    .innerJoin('link', 'link.id', 'report.link_id')
    .selectAll('report')
    .select('link.title')
    .$if(isOpen, (query) => query.where('report.closed_at', 'is', null))
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('report.created_at', 'report.id'),
          '<',
          tuple(after?.time ?? 0, after?.id ?? ''),
        ),
      ),
    )
    .orderBy('report.created_at', 'desc')
    .orderBy('report.id', 'desc')
    .limit(ROWS_OF_PAGE)
    .execute();
  const place = ({ created_at: time, id }: (typeof rows)[number]) => ({ time, id });
  const { page, nextToken } = toPage('reports', rows, place);
  const reports = page.map(({ link_id, created_at, closed_at, ...row }) => ({
    ...row,
    linkId: link_id,
    createdAt: created_at,
    closedAt: closed_at,
  }));
  return { reports, nextToken };
}
