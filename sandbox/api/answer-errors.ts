import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxLog } from '../sandbox-log.ts';
import { StripeError } from '../stripe-error.ts';

/** The answer to anything that goes wrong on a server, in the provider's error shape. */
export function createErrorHandler(log: SandboxLog) {
  return (error: FastifyError | StripeError, _request: FastifyRequest, reply: FastifyReply) => {
    const refusal = asStripeError(error);
    if (refusal.status >= 500) log.error({ err: error }, 'sandbox: a request failed');
    reply.code(refusal.status).send(refusal.toJSON());
  };
}

/** The answer to a request for which there is no route. */
export function refuseUnknownRoute(request: FastifyRequest): never {
  throw new StripeError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${request.method}: ${request.url.split('?', 1)[0]}). The sandbox speaks a part of the provider's API; sandbox/README.md says which.`,
  });
}

function asStripeError(error: FastifyError | StripeError): StripeError {
  if (error instanceof StripeError) return error;
  const status = error.statusCode ?? 500;
  if (status >= 500) {
    return new StripeError(500, {
      type: 'api_error',
      message: 'The sandbox failed; its log says why.',
    });
  }
  const message =
    error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
      ? 'Invalid request (check that your POST content type is application/x-www-form-urlencoded).'
      : error.message;
  return new StripeError(status, { type: 'invalid_request_error', message });
}
