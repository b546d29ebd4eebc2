import { CompiledQuery, type KyselyPlugin, type RootOperationNode } from 'kysely';
import type { Database } from '../server/database/tables.ts';
import type { Database as DatabaseKind } from './harness/test-environment.ts';
import { withDatabase } from './with-database.ts';

type Place = { environment: { env: Record<string, string> }; database: DatabaseKind };

/** How the database goes about each query of the work, one step a line. */
export async function readPlans(
  { environment, database }: Place,
  work: (db: Database) => Promise<unknown>,
  explain = database === 'sqlite' ? 'explain query plan' : 'explain',
): Promise<string> {
  return withDatabase(environment, async (db) => {
    const queries = await recordQueries(db, work);
    const steps: string[] = [];
    for (const { sql: text, parameters } of queries) {
      const query = CompiledQuery.raw(`${explain} ${text}`, [...parameters]);
      const { rows } = await db.executeQuery<Record<string, string>>(query);
      steps.push(...rows.map((row) => row.detail ?? row['QUERY PLAN'] ?? ''));
    }
    return steps.join('\n');
  });
}

const MEASURED_MS = 300;

/**
 * What a read costs: microseconds of processor time on SQLite, which runs in this process, and on
 * PostgreSQL the pages that its queries look at.
 */
export async function measureCost(
  place: Place,
  read: (db: Database) => Promise<unknown>,
): Promise<number> {
  if (place.database === 'postgres') {
    const plans = await readPlans(place, read, 'explain (analyze, buffers, timing off)');
    // The first line about pages in each plan is of the whole of it.
    const wholes = plans.split(/^(?=\S)/m).flatMap((plan) => /Buffers: (.+)/.exec(plan)?.[1] ?? []);
    const pages = wholes.flatMap((whole) => [...whole.matchAll(/(?:hit|read)=(\d+)/g)]);
    return pages.reduce((sum, [, count]) => sum + Number(count), 0);
  }
  return withDatabase(place.environment, async (db) => {
    for (let time = 0; time < 20; time += 1) await read(db);
    const [before, begun] = [process.cpuUsage(), performance.now()];
    let times = 0;
    for (; performance.now() - begun < MEASURED_MS; times += 1) await read(db);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / times;
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
