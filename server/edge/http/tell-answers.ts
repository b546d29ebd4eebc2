import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** What is told of an answer. Nothing of it names a person or opens anything. */
export interface Answer {
  reqId: string;
  method: string;
  /** The pattern of its route, such as /p/:id; null where there is none. */
  route: string | null;
  status: number;
  /** From its head to the last byte that was sent, to a tenth of a millisecond. */
  ms: number;
  /** The client left before the end, or was cut off. */
  cut?: true;
}

export type TellAnswer = (answer: Answer) => void;

/** Runs what answers a request so that it can be followed; it is over when its answer is told. */
export type TraceAnswer = <Result>(
  reqId: string,
  traceparent: unknown,
  run: () => Result,
) => Result;

/** Tells of each answer that goes through the routes, once it has been sent. */
export function tellAnswers(app: FastifyInstance, tell: TellAnswer): void {
  app.addHook('onRequest', ({ id, method, routeOptions }, reply, done) => {
    tellWhenSent({ reqId: id, method, route: routeOptions.url ?? null }, reply.raw, tell);
    done();
  });
}

/** Tells of one answer, once it has been sent. */
export function tellWhenSent(
  request: Pick<Answer, 'reqId' | 'method' | 'route'>,
  response: ServerResponse,
  tell: TellAnswer,
): void {
  const begun = performance.now();
  response.once('close', () =>
    tell({
      ...request,
      status: response.statusCode,
      ms: tenths(performance.now() - begun),
      ...(!response.writableFinished && { cut: true }),
    }),
  );
}

export const tenths = (ms: number) => Math.round(ms * 10) / 10;
