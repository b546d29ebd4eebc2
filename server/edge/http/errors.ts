import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, STATUS_OF } from '../../../contract/error-codes.ts';
import { type Fact, putIntoEnglish, type Said } from '../../../contract/fact.ts';
import { BeingMovedError } from '../../ground/lib/being-moved.ts';
import { cannotStore, remedyFor, UnconfirmedChange } from '../../ground/lib/cannot-store.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { JsonAnswer } from './early-answers.ts';
import { RateLimited } from './rate-limits.ts';

/** Seconds. A database is back from a restart about as fast. */
const RETRY_AFTER = 5;
/** Seconds. A move takes minutes. */
const RETRY_AFTER_MOVE = 60;

/** RFC 9457 problem details. */
interface Problem {
  type: 'about:blank';
  title: string;
  status: number;
  /** In English. */
  detail: string;
  code: ErrorCode;
  /** What the detail says, for whoever knows the language. */
  said: Said;
}

const TITLES: Record<number, string> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
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
  if (error instanceof DomainError) return problem(error.code, error.said);
  const { code, statusCode, message } = error as Partial<FastifyError>;
  if (cannotStore(error)) {
    return problem(
      'STORAGE_FULL',
      "The server's disk is full or write-protected, so nothing could be saved. Nothing was changed or charged. Please try again later.",
    );
  }
  if (error instanceof UnconfirmedChange) {
    return problem(
      'UNAVAILABLE',
      "The server's disk failed, so it is not certain that your change was kept. Please look before you make it again.",
    );
  }
  if (remedyFor(error)) {
    return problem(
      'UNAVAILABLE',
      'The server cannot use its storage at the moment. Nothing is lost, and nothing was charged. Please try again later.',
    );
  }
  if (statusCode === 413) return problem('BODY_TOO_LARGE', 'The request body is too large.');
  if (code === 'FST_ERR_BAD_URL') {
    return problem('INVALID_INPUT', 'This address is malformed. Check that you copied all of it.');
  }
  if (statusCode === 414) return problem('INVALID_INPUT', 'This address is too long.', 414);
  if (statusCode && statusCode >= 400 && statusCode < 500) {
    return problem('INVALID_INPUT', message ?? 'The request is not valid.', statusCode);
  }
  return problem('INTERNAL', 'Something went wrong on our side. Please try again.');
}

/** Whether it tells of a fault on our side, for the log; what is not offered here is none. */
export function isFault({ status, code }: Problem): boolean {
  return status >= 500 && code !== 'FORMAT_NOT_OFFERED' && code !== 'CHECKOUT_NOT_CONFIGURED';
}

/** For Retry-After, in seconds; undefined where trying again later changes nothing. */
export function retryAfterOf(error: unknown): number | undefined {
  if (error instanceof RateLimited) return error.retryAfter;
  if (error instanceof BeingMovedError) return RETRY_AFTER_MOVE;
  if (error instanceof UnconfirmedChange) return undefined;
  const passes = error instanceof DomainError && error.code === 'UNAVAILABLE';
  return passes || remedyFor(error) ? RETRY_AFTER : undefined;
}

/** Says when to retry, where that makes sense. */
export function setRetryAfter(reply: FastifyReply, error: unknown): void {
  const seconds = retryAfterOf(error);
  if (seconds !== undefined) reply.header('retry-after', seconds);
}

/**
 * What a page says of an error, and when to try again, where whoever sent its form can mend it.
 * @param codes of such errors
 * @throws any other error
 */
export function sayRefusal(
  reply: FastifyReply,
  error: unknown,
  ...codes: ErrorCode[]
): { status: number; error: Said } {
  const { status, code, said } = toProblem(error);
  if (!codes.includes(code)) throw error;
  setRetryAfter(reply, error);
  return { status, error: said };
}

export function problem(code: ErrorCode, said: Said, status: number = STATUS_OF[code]): Problem {
  return {
    type: 'about:blank',
    title: code === 'CHECKOUT_NOT_CONFIGURED' ? 'Not configured' : titleOf(status),
    status,
    detail: putIntoEnglish(said),
    code,
    said,
  };
}

/** Beside English where something is filled in: pages put it into words of other languages. */
export const factBeside = (said: Said | undefined): { fact?: Fact } =>
  typeof said === 'object' && said.values ? { fact: said } : {};

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
    .send(bodyOf(problem, request.id));
}

const bodyOf = ({ said, ...problem }: Problem, requestId: string) => ({
  ...problem,
  ...factBeside(said),
  requestId,
});

/** The same for a post that is answered before its route. */
export function answerProblem(error: unknown, requestId: string): JsonAnswer {
  const problem = toProblem(error);
  const wait = retryAfterOf(error);
  return {
    status: problem.status,
    headers: {
      'content-type': 'application/problem+json; charset=utf-8',
      'cache-control': 'no-store',
      ...(wait !== undefined && { 'retry-after': wait }),
    },
    text: JSON.stringify(bodyOf(problem, requestId)),
  };
}
