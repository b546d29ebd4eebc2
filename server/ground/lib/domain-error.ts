import type { ErrorCode } from '../../../contract/error-codes.ts';
import { putIntoEnglish, type Said } from '../../../contract/fact.ts';

/** An error with a stable code, and what is said to the person who asked: in English, its message. */
export class DomainError extends Error {
  override name = 'DomainError';
  readonly code: ErrorCode;
  readonly said: Said;
  /** The link on whose page the person can continue, if any. */
  readonly linkId: string | null;

  constructor(
    code: ErrorCode,
    said: Said,
    { linkId = null, ...options }: ErrorOptions & { linkId?: string | null } = {},
  ) {
    super(putIntoEnglish(said), options);
    this.code = code;
    this.said = said;
    this.linkId = linkId;
  }
}
