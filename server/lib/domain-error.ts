import type { ErrorCode } from '../../contract/error-codes.ts';

/** An error with a stable code and a message for the person who asked. */
export class DomainError extends Error {
  override name = 'DomainError';
  readonly code: ErrorCode;
  /** The link on whose page the person can continue, if any. */
  readonly linkId: string | null;

  constructor(
    code: ErrorCode,
    message: string,
    { linkId = null, ...options }: ErrorOptions & { linkId?: string | null } = {},
  ) {
    super(message, options);
    this.code = code;
    this.linkId = linkId;
  }
}
