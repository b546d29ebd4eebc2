import { CompiledQuery, type KyselyPlugin, type RootOperationNode } from 'kysely';
import type { Database } from '../server/domain/tables.ts';
import type { Database as DatabaseKind } from './harness/test-environment.ts';
import { withDatabase } from './with-database.ts';

type Place = { environment: { env: Record<string, string> }; database: DatabaseKind };

/** How the database goes about each query of the work, one step a line. */
export async function readPlans(
  { environment, database }: Place,
  work: (db: Database) => Promise<unknown>,
): Promise<string> {
  const nodes: RootOperationNode[] = [];
  const recorder: KyselyPlugin = {
    transformQuery({ node }) {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return withDatabase(environment, async (db) => {
    await work(db.withPlugin(recorder));
    const explain = database === 'sqlite' ? 'explain query plan' : 'explain';
    const steps: string[] = [];
    for (const node of nodes) {
      const { sql: text, parameters } = db.getExecutor().compileQuery(node, { queryId: 'plan' });
      const query = CompiledQuery.raw(`${explain} ${text}`, [...parameters]);
      const { rows } = await db.executeQuery<Record<string, string>>(query);
      steps.push(...rows.map((row) => row.detail ?? row['QUERY PLAN'] ?? ''));
    }
    return steps.join('\n');
  });
}
