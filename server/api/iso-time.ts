/** UTC milliseconds as the API writes times. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
