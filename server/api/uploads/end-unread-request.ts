import type { FastifyReply, FastifyRequest } from 'fastify';

/** How long bytes are still taken and dropped, so that the client gets to read the answer. */
const LINGER_MS = 3_000;

/**
 * A refused body is not read to its end, which may be gigabytes away; but closing at once would
 * reset the connection, and the client would lose the answer with it.
 */
export async function endUnreadRequest(
  { raw }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (raw.complete) return;
  reply.raw.once('finish', () => {
    const timer = setTimeout(() => raw.destroy(), LINGER_MS);
    raw.once('close', () => clearTimeout(timer));
    raw.resume();
  });
}
