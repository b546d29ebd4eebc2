import type { ErrorCode } from '../../contract/error-codes.ts';

/** A refusal with a stable code and a message for the person who asked. */
export class DomainError extends Error {
  override name = 'DomainError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
