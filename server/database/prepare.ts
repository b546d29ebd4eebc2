import type { Compilable, CompiledQuery } from 'kysely';
import { dialectOf } from './dialect.ts';
import type { Database } from './tables.ts';

/**
 * A query that is compiled once, not at each request: its parameters are values alone, each named
 * without a default, and it is the same query whatever they are.
 */
export function prepare<Values extends unknown[], Row>(
  build: (db: Database, ...values: Values) => Compilable<Row>,
): (db: Database, ...values: Values) => Promise<Row[]> {
  // Each stands for a value, and is found again among the parameters of the compiled query.
  const places = Array.from({ length: build.length - 1 }, () => ({}));
  const compiled: Partial<Record<ReturnType<typeof dialectOf>, CompiledQuery<Row>>> = {};
  return async (db, ...values) => {
    const kind = dialectOf(db);
    compiled[kind] ??= build(db, ...(places as Values)).compile();
    const query = compiled[kind];
    const parameters = query.parameters.map((parameter) => {
      const place = places.indexOf(parameter as object);
      return place < 0 ? parameter : values[place];
    });
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
