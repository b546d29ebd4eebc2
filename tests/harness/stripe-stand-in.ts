import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forward } from '../errors/provider-proxy.ts';
import { startQuietProvider } from './quiet-provider.ts';
import { WEBHOOK_SECRET } from './webhook.ts';

/**
 * Stripe, as far as a checkout needs it: the sandbox, which sends no event, behind an account of its
 * own. Start the product with `env` and `overrides`: it takes it for the real one.
 */
export async function startStripeStandIn() {
  const quiet = await startQuietProvider();
  const server = createServer((request, response) => {
    if (request.url === '/v1/account') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ id: 'acct_padlink', object: 'account' }));
    } else void forward(request, response, quiet.port, (answer) => answer);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    env: { STRIPE_SECRET_KEY: 'sk_test_padlink', STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET },
    overrides: { providerUrl: `http://127.0.0.1:${port}` },
    async stop() {
      server.closeAllConnections();
      server.close();
      await quiet.stop();
    },
  };
}
