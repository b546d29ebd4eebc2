import { Readable } from 'node:stream';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { boundAnswers, DEFAULT_ANSWER_BYTES } from './answer-bounds.ts';

/** A server whose routes send so many bytes in different ways. */
function createSender(bytes: number) {
  const app = Fastify();
  boundAnswers(app);
  app.get('/text', () => 'x'.repeat(bytes));
  // Two bytes each.
  app.get('/letters', () => 'é'.repeat(bytes / 2));
  app.get('/buffer', (_request, reply) =>
    reply.header('content-encoding', 'br').send(Buffer.alloc(bytes)),
  );
  app.get('/file', (_request, reply) =>
    reply.header('content-length', bytes).send(Readable.from([Buffer.alloc(bytes)])),
  );
  app.get('/stream', (_request, reply) => {
    return reply.send(Readable.from([Buffer.alloc(bytes - 1), Buffer.alloc(1)]));
  });
  return app;
}

test.each(['text', 'letters', 'buffer', 'file', 'stream'])(
  'an answer of exactly its bound is sent whole (%s)',
  async (route) => {
    const { rawPayload } = await createSender(DEFAULT_ANSWER_BYTES).inject(`/${route}`);
    expect(rawPayload.length).toBe(DEFAULT_ANSWER_BYTES);
  },
);

test.each(['text', 'letters', 'buffer', 'file'])(
  'an answer beyond its bound is an error in its place (%s)',
  async (route) => {
    const answer = await createSender(DEFAULT_ANSWER_BYTES + 2).inject(`/${route}`);
    expect(answer.statusCode).toBe(500);
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.json()).toMatchObject({
      message: `The response of /${route} exceeds ${DEFAULT_ANSWER_BYTES} bytes.`,
    });
  },
);

test('a stream beyond its bound breaks off', async () => {
  const answer = createSender(DEFAULT_ANSWER_BYTES + 1).inject('/stream');
  await expect(answer).rejects.toThrow('response destroyed before completion');
});
