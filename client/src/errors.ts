import type { ServerCode } from './generated/codes.ts';

/** What the server says, or what is wrong before it says anything or with what it said. */
export type ErrorCode =
  | ServerCode
  /** Nothing was answered, or not in time. Whether anything was done is not known. */
  | 'NO_ANSWER'
  /** What was answered is not of Padlink. */
  | 'INVALID_ANSWER'
  /** A webhook's message is not from whoever has the secret, or not of these minutes. */
  | 'INVALID_SIGNATURE'
  // A later server may refuse more.
  | (string & {});

interface Details {
  status?: number | undefined;
  retryAfter?: number | undefined;
  requestId?: string | undefined;
  cause?: unknown;
}

/** All that a call of the client rejects with, but for the reason of its own `signal`. */
export class PadlinkError extends Error {
  override readonly name = 'PadlinkError';
  /** Stable; `message` is a sentence for people and may change. */
  readonly code: ErrorCode;
  /** As over HTTP; 0 where the shop said nothing. */
  readonly status: number;
  /** In so many seconds it may be tried again. */
  readonly retryAfter: number | undefined;
  /** To quote to whoever runs the shop. */
  readonly requestId: string | undefined;

  constructor(code: ErrorCode, message: string, { status = 0, cause, ...details }: Details = {}) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.retryAfter = details.retryAfter;
    this.requestId = details.requestId;
  }
}
