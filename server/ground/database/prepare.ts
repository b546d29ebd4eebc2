import type { Compilable, CompiledQuery } from 'kysely';
import { dialectOf } from './dialect.ts';
import type { Database } from './tables.ts';

/** Lists of more values are compiled each time. */
const LONGEST_LIST = 10;

/**
 * A query that is compiled once, not at each request. Its values are put in by place: each is used
 * as it is, or is an object whose properties are, and it is the same query whatever they are. Of
 * lists, whose items are values or objects too, it is compiled for each length.
 */
export function prepare<Values extends unknown[], Row>(
  build: (db: Database, ...values: Values) => Compilable<Row>,
): (db: Database, ...values: Values) => Promise<Row[]> {
  const compiled = new Map<string, Compiled<Values, Row>>();
  return async (db, ...values) => {
    const lengths = values.map((value) => (Array.isArray(value) ? value.length : 0));
    if (lengths.some((length) => length > LONGEST_LIST)) {
      return (await db.executeQuery<Row>(build(db, ...values))).rows;
    }
    const shape = `${dialectOf(db)} ${lengths}`;
    let found = compiled.get(shape);
    if (!found) {
      found = compile(build, db, values);
      compiled.set(shape, found);
    }
    const { query, named, readParameters } = found;
    const parameters = readParameters.map((read) => read(values));
    if (named) called.set(parameters, named);
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}

/** A query that connections to PostgreSQL know by a name. */
interface Prepared {
  name: string;
  /**
   * 'read' selects, without a lock; 'change' writes, and returns no rows: who calls what is prepared sees
   * rows alone, so nobody reads its answer.
   */
  does: 'read' | 'change' | undefined;
}

/** By their texts. */
const prepared = new Map<string, Prepared>();
/** A connection keeps what it knows by name: strangers choose the columns that some queries read. */
const MAX_NAMES = 500;

/** By the values of each call: another query may have the same text. */
const called = new WeakMap<readonly unknown[], Prepared>();

export const findPrepared = (values: readonly unknown[]): Prepared | undefined =>
  called.get(values);

function nameQuery(text: string): Prepared | undefined {
  const known = prepared.get(text);
  if (known || prepared.size >= MAX_NAMES) return known;
  const added = { name: `prepared-${prepared.size}`, does: doneBy(text) };
  prepared.set(text, added);
  return added;
}

function doneBy(text: string): Prepared['does'] {
  if (/^select\b/.test(text)) {
    return /\bfor (no key )?(update|share)\b/.test(text) ? undefined : 'read';
  }
  return /^(insert|update|delete)\b/.test(text) && !/\breturning\b/.test(text)
    ? 'change'
    : undefined;
}

type Read<Values> = (values: Values) => unknown;

interface Compiled<Values, Row> {
  query: CompiledQuery<Row>;
  named: Prepared | undefined;
  readParameters: Read<Values>[];
}

/** Each value is stood for by an object, and found again among the parameters of the query. */
function compile<Values extends unknown[], Row>(
  build: (db: Database, ...values: Values) => Compilable<Row>,
  db: Database,
  values: Values,
): Compiled<Values, Row> {
  const reads = new Map<unknown, Read<Values>>();
  const placeOf = (read: Read<Values>) => {
    const place = new Proxy<Record<PropertyKey, object>>(
      {},
      {
        get(properties, name) {
          const property = properties[name] ?? {};
          properties[name] = property;
          reads.set(property, (given) => (read(given) as typeof properties)[name]);
          return property;
        },
      },
    );
    reads.set(place, read);
    return place;
  };
  const places = values.map((value, index) =>
    Array.isArray(value)
      ? value.map((_, item) => placeOf((given) => (given[index] as unknown[])[item]))
      : placeOf((given) => given[index]),
  );
  const query = build(db, ...(places as unknown as Values)).compile();
  return {
    query,
    named: dialectOf(db) === 'postgres' ? nameQuery(query.sql) : undefined,
    readParameters: query.parameters.map((parameter) => reads.get(parameter) ?? (() => parameter)),
  };
}
