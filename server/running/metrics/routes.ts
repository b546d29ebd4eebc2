import { createServer } from 'node:http';
import type { FastifyPluginAsync } from 'fastify';
import { isBearer, sameText } from '../../edge/http/credentials.ts';
import type { Metrics } from './metrics.ts';

type Printer = Pick<Metrics, 'contentType' | 'print'>;

/** GET /metrics for whoever has the token; there is no such page for anybody else. */
export const metricsRoutes: FastifyPluginAsync<{ metrics: Printer; token: string }> = async (
  app,
  { metrics, token },
) => {
  app.get('/metrics', async ({ headers }, reply) => {
    const { authorization } = headers;
    const isAllowed = isBearer(authorization) && sameText(authorization.slice(7).trim(), token);
    if (!isAllowed) return reply.callNotFound();
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.print());
  });
};

/**
 * Serves /metrics on a port of its own, to this machine alone.
 * @throws Error where something else listens there
 */
export async function serveMetrics(
  { contentType, print }: Printer,
  port: number,
  onFault: (error: unknown) => void,
): Promise<{ close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    print().then(
      (text) => response.writeHead(200, { 'content-type': contentType }).end(text),
      (error: unknown) => {
        onFault(error);
        response.writeHead(500).end();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
