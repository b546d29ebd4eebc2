/** What everybody may know a link by, wherever it has to be named. */
export function nameLink({ id, title }: { id: string; title: string | null }): string {
  return title ?? `Paid link ${id}`;
}
