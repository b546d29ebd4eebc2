/** Leaves out what no XML 1.0 document may hold, not even as a reference. */
export function dropForbidden(text: string): string {
  return text.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '');
}
