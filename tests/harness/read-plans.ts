import { readFileSync } from 'node:fs';
import { CompiledQuery, type KyselyPlugin, type RootOperationNode, sql } from 'kysely';
import type { Database } from '../../server/ground/database/tables.ts';
import type { Database as DatabaseKind } from './test-environment.ts';
import { withDatabase } from './with-database.ts';

type Place = { environment: { env: Record<string, string> }; database: DatabaseKind };

/** How the database goes about each query of the work, one step a line. */
export async function readPlans(
  { environment, database }: Place,
  work: (db: Database) => Promise<unknown>,
): Promise<string> {
  const explain = database === 'sqlite' ? 'explain query plan' : 'explain';
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

/** Ticks of the processor, of which Linux counts a hundred in a second, must be few beside it. */
const MEASURED_MS = 1_000;
const TICK_US = 10_000;

/**
 * What a read costs: microseconds of processor time, those of PostgreSQL's own processes on this
 * machine included.
 */
export async function measureCost(
  { environment, database }: Place,
  read: (db: Database) => Promise<unknown>,
): Promise<number> {
  return withDatabase(environment, async (db) => {
    const pids = async () => {
      if (database === 'sqlite') return [];
      const { rows } = await sql<{
        pid: number;
      }>`select pid from pg_stat_activity where datname = current_database()`.execute(db);
      return rows.map(({ pid }) => pid);
    };
    for (let time = 0; time < 20; time += 1) await read(db);
    const backends = await pids();
    const [before, theirs, begun] = [process.cpuUsage(), spentBy(backends), performance.now()];
    let times = 0;
    for (; performance.now() - begun < MEASURED_MS; times += 1) await read(db);
    const { user, system } = process.cpuUsage(before);
    return (user + system + spentBy(backends) - theirs) / times;
  });
}

/** Microseconds of processor time that processes have taken so far. */
function spentBy(pids: number[]): number {
  const ticks = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, one) => sum + one, 0) * TICK_US;
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
  // In a transaction, one that is prepared is told when it is compiled alone.
  return queries.filter(({ parameters }) => !parameters.some(isPlaceholder));
}

/** What `prepare` puts in the place of a value: an object that has nothing. */
const isPlaceholder = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Uint8Array) &&
  Object.keys(value).length === 0;
