/** The cells of a table that is written as text, by row and column; its heading is two lines. */
export function readTable<Column extends string>(
  text: string,
  columns: readonly Column[],
): Record<string, Record<Column, string>> {
  const [, , ...rows] = text.trim().split('\n');
  return Object.fromEntries(
    rows.map((row) => {
      const [name = '', ...cells] = row.split('|').map((cell) => cell.trim());
      return [name, Object.fromEntries(columns.map((column, n) => [column, cells[n]]))];
    }),
  ) as Record<string, Record<Column, string>>;
}
