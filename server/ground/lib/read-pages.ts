/**
 * Rows page by page, so that they are never all in memory.
 * @param before what comes before the first row, in their order
 * @param read the rows that follow one
 */
export async function* readPages<Row extends Key, Key>(
  before: Key,
  read: (after: Key) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let after = before;
  for (;;) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last;
  }
}
