import { sql } from 'kysely';
import type { Database } from '../../tables.ts';

/** Grants of sold files that bring their buyers none. */
export async function findEmptyGrants(db: Database): Promise<string[]> {
  const { rows } = await sql<{ purchase_id: string; link_id: string; state: string }>`
    select g.purchase_id, g.link_id, g.state
    from access_grant g join link l on l.id = g.link_id
    where l.type = 'file' and g.state <> 'ended'
      and not exists (select 1 from purchase_file f where f.purchase_id = g.purchase_id)`.execute(
    db,
  );
  return rows.map(
    ({ purchase_id, link_id, state }) =>
      `The grant of purchase ${purchase_id} of link ${link_id} is ${state}, but brings no file.`,
  );
}
