/** The specification's words without its headings, table heads and layout. */
export function statementsOf(specification: string): string {
  return specification
    .replace(/^#.*$/gm, '')
    .replace(/^\|.*\|\n(?=\|[-|\s]+\|$)/gm, '')
    .replace(/^\|[-|\s]+\|$/gm, '');
}

/** Letters and digits alone: what is left when the layout differs. */
export function wordsOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}

/** The texts in single quotes. An apostrophe within a word quotes nothing. */
export function quotedIn(text: string): string[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])/gu)].map(
    ([, quoted]) => quoted as string,
  );
}
