import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../contract/error-codes.ts';
import { cannotStore } from '../lib/cannot-store.ts';
import { DomainError } from '../lib/domain-error.ts';
import { RateLimited } from './rate-limits.ts';

const STATUS: Record<ErrorCode, number> = {
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  LINK_NOT_FOUND: 404,
  LINK_PAUSED: 409,
  ACCESS_SUSPENDED: 409,
  ACCESS_ENDED: 403,
  LINK_ID_TAKEN: 409,
  INVALID_LINK_ID: 400,
  INVALID_LINK_TYPE: 400,
  INVALID_PRICE: 400,
  INVALID_URL: 400,
  INVALID_TITLE: 400,
  INVALID_DESCRIPTION: 400,
  INVALID_SELLER_NAME: 400,
  INVALID_IMAGE: 422,
  INVALID_KEY: 400,
  INVALID_PAYWALL_DATA: 400,
  INVALID_INPUT: 400,
  INVALID_KEY_NAME: 400,
  TOO_MANY_SECRET_KEYS: 409,
  SESSION_NOT_FRESH: 403,
  ACCOUNT_NOT_SETTLED: 409,
  UPLOAD_NOT_FOUND: 404,
  KEY_TAKEN: 409,
  FILE_EMPTY: 400,
  FILE_TOO_LARGE: 413,
  FILE_IN_USE: 409,
  STORAGE_FULL: 507,
  // No fault of ours: the log says nothing of it.
  QUOTA_EXCEEDED: 403,
  TOO_MANY_OPEN_UPLOADS: 403,
  FILE_DAMAGED: 500,
  LINK_BROKEN: 500,
  CHECKOUT_UNAVAILABLE: 502,
  CHECKOUT_NOT_CONFIGURED: 503,
  DOWNLOAD_INVALID: 403,
  DOWNLOAD_EXPIRED: 410,
  ACCESS_LINK_INVALID: 404,
  NOT_FOUND: 404,
  FORMAT_NOT_OFFERED: 501,
  BODY_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  CROSS_SITE: 403,
  INTERNAL: 500,
  UNAVAILABLE: 503,
};

/** Seconds. A database is back from a restart about as fast. */
const RETRY_AFTER = 5;

/** PostgreSQL keeps no NUL in a text. */
const POSTGRES_BAD_TEXT = '22021';

/** RFC 9457 problem details. */
interface Problem {
  type: 'about:blank';
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
}

const TITLES: Record<number, string> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  409: 'Conflict',
  410: 'Gone',
  413: 'Too large',
  414: 'Address too long',
  415: 'Unsupported media type',
  422: 'Unprocessable content',
  429: 'Too many requests',
  501: 'Not implemented',
  502: 'Payment provider unavailable',
  503: 'Temporarily unavailable',
  507: 'Storage full',
};

/**
 * The one place where a thrown error becomes a response. A domain error carries its own message,
 * the framework's own 4xx are bad input, and anything else is an internal error that reveals
 * nothing.
 */
export function toProblem(error: unknown): Problem {
  if (error instanceof DomainError) return problem(STATUS[error.code], error.code, error.message);
  const { code, statusCode, message } = error as {
    code?: string;
    statusCode?: number;
    message?: string;
  };
  if (code === POSTGRES_BAD_TEXT) {
    return problem(
      400,
      'INVALID_INPUT',
      'The request contains characters that are not valid text.',
    );
  }
  if (cannotStore(error)) {
    return problem(
      507,
      'STORAGE_FULL',
      "The server's disk is full or write-protected, so nothing could be saved. Nothing was changed or charged. Please try again later.",
    );
  }
  if (statusCode === 413) {
    return problem(413, 'BODY_TOO_LARGE', 'The request body is too large.');
  }
  if (code === 'FST_ERR_BAD_URL') {
    return problem(
      400,
      'INVALID_INPUT',
      'This address is malformed. Check that you copied all of it.',
    );
  }
  if (statusCode === 414) {
    return problem(414, 'INVALID_INPUT', 'This address is too long.');
  }
  if (statusCode && statusCode >= 400 && statusCode < 500) {
    return problem(statusCode, 'INVALID_INPUT', message ?? 'The request is not valid.');
  }
  return problem(500, 'INTERNAL', 'Something went wrong on our side. Please try again.');
}

/** Whether it tells of a fault on our side, for the log; what is not offered here is none. */
export function isFault({ status, code }: Problem): boolean {
  return status >= 500 && code !== 'FORMAT_NOT_OFFERED' && code !== 'CHECKOUT_NOT_CONFIGURED';
}

/** For Retry-After, in seconds; undefined where trying again later changes nothing. */
export function retryAfterOf(error: unknown): number | undefined {
  if (error instanceof RateLimited) return error.retryAfter;
  const passes = error instanceof DomainError && error.code === 'UNAVAILABLE';
  return passes ? RETRY_AFTER : undefined;
}

/** Says when to retry, where that makes sense. */
export function setRetryAfter(reply: FastifyReply, error: unknown): void {
  const seconds = retryAfterOf(error);
  if (seconds !== undefined) reply.header('retry-after', seconds);
}

export function problem(status: number, code: ErrorCode, detail: string): Problem {
  return {
    type: 'about:blank',
    title: code === 'CHECKOUT_NOT_CONFIGURED' ? 'Not configured' : titleOf(status),
    status,
    detail,
    code,
  };
}

/** What a status means, in words. */
export function titleOf(status: number): string {
  return TITLES[status] ?? (status < 500 ? 'Bad request' : 'Internal error');
}

/** Answers a program: what went wrong, with the request id to quote. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
): FastifyReply {
  return reply
    .status(problem.status)
    .type('application/problem+json')
    .header('cache-control', 'no-store')
    .send({ ...problem, requestId: request.id });
}
