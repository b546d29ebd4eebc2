import type { Compilable, CompiledQuery } from 'kysely';
import { dialectOf } from './dialect.ts';
import type { Database } from './tables.ts';

/**
 * A query that is compiled once, not at each request. Its values are put in by place: each is used
 * as it is, or is an object whose properties are, and it is the same query whatever they are.
 */
export function prepare<Values extends unknown[], Row>(
  build: (db: Database, ...values: Values) => Compilable<Row>,
): (db: Database, ...values: Values) => Promise<Row[]> {
  const compiled: Partial<Record<ReturnType<typeof dialectOf>, Compiled<Values, Row>>> = {};
  return async (db, ...values) => {
    const kind = dialectOf(db);
    compiled[kind] ??= compile(build, db);
    const { query, readParameters } = compiled[kind];
    const parameters = readParameters.map((read) => read(values));
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}

/** By the text of each query that is prepared on PostgreSQL, what connections know it by. */
const names = new Map<string, string>();

export const nameOfPrepared = (text: string): string | undefined => names.get(text);

type Read<Values> = (values: Values) => unknown;

interface Compiled<Values, Row> {
  query: CompiledQuery<Row>;
  readParameters: Read<Values>[];
}

/** Each value is stood for by an object, and found again among the parameters of the query. */
function compile<Values extends unknown[], Row>(
  build: (db: Database, ...values: Values) => Compilable<Row>,
  db: Database,
): Compiled<Values, Row> {
  const reads = new Map<unknown, Read<Values>>();
  const places = Array.from({ length: build.length - 1 }, (_, index) => {
    const place = new Proxy<Record<PropertyKey, object>>(
      {},
      {
        get(properties, name) {
          const property = properties[name] ?? {};
          properties[name] = property;
          reads.set(property, (values) => (values[index] as typeof properties)[name]);
          return property;
        },
      },
    );
    reads.set(place, (values) => values[index]);
    return place;
  });
  const query = build(db, ...(places as unknown as Values)).compile();
  if (dialectOf(db) === 'postgres') names.set(query.sql, `prepared-${names.size}`);
  return {
    query,
    readParameters: query.parameters.map((parameter) => reads.get(parameter) ?? (() => parameter)),
  };
}
