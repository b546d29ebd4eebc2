import type { IncomingHttpHeaders } from 'node:http';

interface Validators {
  /** Strong and quoted. */
  etag: string;
  /** As it is sent. */
  lastModified: string | undefined;
}

/** Whether the client already has it (RFC 9110 §13.1.2, weak comparison). */
export function isKnownTo(headers: IncomingHttpHeaders, { etag }: Validators): boolean {
  const known = headers['if-none-match'];
  if (known === undefined) return false;
  return known.split(',').some((item) => ['*', etag, `W/${etag}`].includes(item.trim()));
}

/** Whether a part still fits what the client has (§13.1.5): then its Range counts. */
export function rangeStillFits(headers: IncomingHttpHeaders, validators: Validators): boolean {
  const condition = headers['if-range'];
  return (
    condition === undefined ||
    condition === validators.etag ||
    condition === validators.lastModified
  );
}
