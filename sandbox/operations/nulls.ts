/** Fields that the provider shows although nothing is in them. */
export function nulls<const Lines extends readonly (readonly string[])[]>(...lines: Lines) {
  return Object.fromEntries(lines.flat().map((name) => [name, null])) as Record<
    Lines[number][number],
    null
  >;
}
