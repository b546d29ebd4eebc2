import type { Database } from '../../ground/database/tables.ts';

/** The lines of the journal, each with its entry. */
export const selectLines = (db: Database) =>
  db.selectFrom('ledger_entry').innerJoin('ledger_line', 'ledger_line.entry_id', 'ledger_entry.id');
