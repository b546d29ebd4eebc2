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
    const nodes = await recordQueries(db, work);
    const explain = database === 'sqlite' ? 'explain query plan' : 'explain';
    const steps: string[] = [];
    for (const node of nodes) {
      const { sql: text, parameters } = compile(db, node);
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
  const nodes = await recordQueries(db, work);
  return nodes.map((node) => compile(db, node).sql);
}

const compile = (db: Database, node: RootOperationNode) =>
  db.getExecutor().compileQuery(node, { queryId: 'plan' });

async function recordQueries(
  db: Database,
  work: (db: Database) => Promise<unknown>,
): Promise<RootOperationNode[]> {
  const nodes: RootOperationNode[] = [];
  const recorder: KyselyPlugin = {
    transformQuery({ node }) {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await work(db.withPlugin(recorder));
  return nodes;
}
