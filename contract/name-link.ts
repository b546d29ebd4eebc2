import { seenText } from './characters.ts';

/** The name anyone may see for a link, wherever it has to be named. */
export function nameLink({ id, title }: { id: string; title: string | null }): string {
  return seenText(title) ?? `Paid link ${id}`;
}
