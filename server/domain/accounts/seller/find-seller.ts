import type { Database } from '../../tables.ts';

/**
 * Finds the names under which accounts sell. What is asked for before the next microtask is read by
 * one query: a list asks for each of its links.
 */
export function createFindSeller(db: Database): (ownerId: string) => Promise<string | null> {
  let asked = new Set<string>();
  let names: Promise<Map<string, string | null>> | null = null;

  async function readNames(): Promise<Map<string, string | null>> {
    await Promise.resolve();
    const ownerIds = [...asked];
    asked = new Set();
    names = null;
    const rows = await db
      .selectFrom('seller')
      .where('owner_id', 'in', ownerIds)
      .select(['owner_id', 'name'])
      .execute();
    return new Map(rows.map((row) => [row.owner_id, row.name]));
  }

  return async (ownerId) => {
    asked.add(ownerId);
    names ??= readNames();
    return (await names).get(ownerId) ?? null;
  };
}
