import { eventually } from './eventually.ts';
import { withDatabase } from './with-database.ts';

/** Waits until no job is left that could run now. */
export const untilNoJobIsDue = (app: { env: Record<string, string> }) =>
  eventually(() =>
    withDatabase(app, async (db) => {
      const due = db.selectFrom('job').select('id').where('run_at', '<=', Date.now());
      const left = await due.where('died_at', 'is', null).execute();
      if (left.length > 0) throw new Error(`${left.length} jobs are left.`);
    }),
  );
