import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { findFreePort } from '../harness/free-port.ts';

/**
 * Stands between the browser and the product, to cut the connection or to let it wait.
 * Start the product with `env`, then `forwardTo` its port.
 */
export async function startNetworkProxy() {
  const port = await findFreePort();
  const sockets = new Set<Socket>();
  let target = 0;
  let passed = 0;
  let limit = Number.POSITIVE_INFINITY;
  let whenReached = (_browser: Socket) => {};
  let held: Socket | undefined;
  let isCut = false;

  const server = createServer((browser) => {
    const product = connect(target, '127.0.0.1');
    for (const socket of [browser, product]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => socket.destroy());
    }
    if (isCut) return void browser.destroy();
    browser.on('data', (bytes) => {
      passed += bytes.length;
      if (!product.write(bytes)) {
        browser.pause();
        product.once('drain', () => browser !== held && browser.resume());
      }
      if (passed >= limit) whenReached(browser);
    });
    browser.on('close', () => product.end());
    // As when the product was killed.
    product.on('error', () => browser.destroy());
    product.pipe(browser);
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');

  function cut() {
    isCut = true;
    for (const socket of sockets) if (socket.localPort === port) socket.destroy();
  }

  return {
    env: { PUBLIC_URL: `http://localhost:${port}` },
    forwardTo(productPort: number) {
      target = productPort;
    },
    /** Bytes that the browser sent so far. */
    sentBytes: () => passed,
    /** Cuts every connection once the browser has sent so many more bytes. */
    cutAfter(bytes: number) {
      limit = passed + bytes;
      whenReached = cut;
    },
    /** Cuts every connection now. */
    cut,
    /** Lets the connection wait that brings the browser's next so many bytes. */
    holdAfter(bytes: number): Promise<void> {
      limit = passed + bytes;
      return new Promise((resolve) => {
        whenReached = (browser) => {
          limit = Number.POSITIVE_INFINITY;
          held = browser.pause();
          resolve();
        };
      });
    },
    /** Everything passes again. */
    mend() {
      limit = Number.POSITIVE_INFINITY;
      isCut = false;
      held?.resume();
      held = undefined;
    },
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
