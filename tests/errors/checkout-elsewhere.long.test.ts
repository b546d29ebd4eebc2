import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sellFile, signUp } from '../factories/factories.ts';
import { openPage } from '../harness/browser.ts';
import { type App, startApp } from '../harness/start-app.ts';
import { waitUntilAlive } from '../journeys/steps.ts';

describe('a checkout endpoint on another host', () => {
  let endpoint: Server;
  let app: App;
  let link: string;
  let reply: object;
  const asked: string[] = [];

  beforeAll(async () => {
    endpoint = createServer(async (request, response) => {
      const headers = {
        'access-control-allow-origin': app.origin,
        'access-control-allow-headers': 'content-type',
        'content-type': 'application/json',
      };
      if (request.method === 'OPTIONS') return response.writeHead(204, headers).end();
      const body = (await request.toArray()).join('');
      asked.push(`${request.method} ${request.url} ${body}`);
      response.writeHead(200, headers).end(JSON.stringify(reply));
    });
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
    const { port } = endpoint.address() as AddressInfo;
    app = await startApp({ env: { CHECKOUT_API_ENDPOINT: `http://127.0.0.1:${port}/stage/` } });
    link = (await sellFile(await signUp(app))).id;
  });
  afterAll(async () => {
    await app?.stop();
    endpoint.close();
  });

  test('is asked for the paywallId, and followed once its reply has a url', async () => {
    const page = await openPage(app);
    await page.goto(`/p/${link}`);
    await waitUntilAlive(page);
    for (reply of [{}, { url: 'javascript:alert(1)' }]) {
      asked.length = 0;
      await page.getByRole('button', { name: 'Unlock Now' }).click();
      await page.getByText('Stripe URL not returned.').waitFor();
      expect(asked).toHaveLength(1);
      const [, call, body = ''] = /^(POST \S+) (.+)$/.exec(asked[0] ?? '') ?? [];
      expect([call, JSON.parse(body)]).toEqual([
        'POST /stage/checkout',
        { paywallId: link, key: expect.any(String) },
      ]);
    }
    reply = { url: `${app.origin}/terms` };
    await page.getByRole('button', { name: 'Unlock Now' }).click();
    await page.waitForURL('/terms');
  });
});
