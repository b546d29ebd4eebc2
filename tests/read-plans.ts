import { CompiledQuery, type KyselyPlugin, type RootOperationNode } from 'kysely';
import type { Database } from '../server/database/tables.ts';
import type { Database as DatabaseKind } from './harness/test-environment.ts';
import { withDatabase } from './with-database.ts';

type Place = { environment: { env: Record<string, string> }; database: DatabaseKind };

/** How the database goes about each query of the work, one step a line. */
export async function readPlans(
  { environment, database }: Place,
  work: (db: Database) => Promise<unknown>,
): Promise<string> {
  return withDatabase(environment, async (db) => {
    const queries = await recordQueries(db, work);
    const explain = database === 'sqlite' ? 'explain query plan' : 'explain';
    const steps: string[] = [];
    for (const { sql: text, parameters } of queries) {
      const query = CompiledQuery.raw(`${explain} ${text}`, [...parameters]);
      const { rows } = await db.executeQuery<Record<string, string>>(query);
      steps.push(...rows.map((row) => row.detail ?? row['QUERY PLAN'] ?? ''));
    }
    return steps.join('\n');
  });
}

/** The text of each query of the work. */
export async function recordStatements(
  db: Database,
  work: (db: Database) => Promise<unknown>,
): Promise<string[]> {
  const queries = await recordQueries(db, work);
  return queries.map(({ sql }) => sql);
}

type Query = { node: RootOperationNode | null; sql: string; parameters: readonly unknown[] };

async function recordQueries(
  db: Database,
  work: (db: Database) => Promise<unknown>,
): Promise<Query[]> {
  const queries: Query[] = [];
  const recorder: KyselyPlugin = {
    transformQuery({ node }) {
      const { sql, parameters } = db.getExecutor().compileQuery(node, { queryId: 'plan' });
      queries.push({ node, sql, parameters });
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const recorded = db.withPlugin(recorder);
  // One that was prepared was perhaps compiled just now, with nothing to ask for.
  const prepared: Database['executeQuery'] = (query) => {
    const { query: of, sql, parameters } = query as CompiledQuery;
    const built = queries.findIndex(({ node }) => node === of);
    if (built >= 0) queries.splice(built, 1);
    queries.push({ node: null, sql, parameters });
    return db.executeQuery(query);
  };
  await work(Object.assign(recorded, { executeQuery: prepared }));
  return queries;
}
