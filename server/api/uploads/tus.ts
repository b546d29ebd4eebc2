import type { FastifyReply, FastifyRequest } from 'fastify';

export const TUS_VERSION = '1.0.0';
const BODY_TYPE = 'application/offset+octet-stream';

/** A request that does not follow the protocol; becomes an answer of its status. */
export class TusError extends Error {
  override name = 'TusError';
  readonly statusCode: number;

  constructor(statusCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.statusCode = statusCode;
  }
}

/** @throws TusError 412 for another version of the protocol */
export async function requireTus(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.headers['tus-resumable'] === TUS_VERSION) return;
  reply.header('tus-version', TUS_VERSION);
  throw new TusError(412, `Uploads speak tus: send the header Tus-Resumable: ${TUS_VERSION}.`);
}

/** Tells what is possible here. Other origins get no permission: there are no CORS headers. */
export function answerDiscovery(maxFileBytes: number) {
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    reply
      .status(204)
      .headers({
        'tus-version': TUS_VERSION,
        'tus-extension': 'creation,creation-with-upload,termination',
        'tus-max-size': maxFileBytes,
      })
      .send();
}

/** Reads a header that is a number of bytes. @throws TusError 400 */
export function readByteCount(request: FastifyRequest, name: string): number {
  const text = request.headers[name.toLowerCase()];
  const count = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(count)) return count;
  throw new TusError(400, `The header ${name} must be a number of bytes.`);
}

export function carriesBytes(request: FastifyRequest): boolean {
  return request.headers['content-type'] === BODY_TYPE;
}

/** @throws TusError 415 */
export function requireBytes(request: FastifyRequest): void {
  if (!carriesBytes(request)) throw new TusError(415, `Send the bytes as ${BODY_TYPE}.`);
}
