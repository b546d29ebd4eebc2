/** V8 keeps the text of a file with any character beyond ASCII in two bytes for each. */
export function toAscii(code: string): string {
  return code.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
