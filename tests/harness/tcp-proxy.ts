import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between the product and a server at a port of 127.0.0.1, and fails as a network does. */
export async function startTcpProxy(target: number) {
  const pairs = new Set<[Socket, Socket]>();
  let swallowing = false;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    for (const [socket, other] of [pair, [upstream, client] as const]) {
      socket.on('data', (bytes) => swallowing || other.write(bytes));
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        pairs.delete(pair);
        other.destroy();
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');

  /** Cuts every connection; new ones pass. */
  function cut(): void {
    for (const [client, upstream] of pairs) {
      client.destroy();
      upstream.destroy();
    }
  }

  return {
    port: (server.address() as AddressInfo).port,
    cut,
    /** From now on every packet vanishes, on connections that stay open. */
    swallow() {
      swallowing = true;
    },
    /** Everything passes again; whoever still waits for what has vanished waits for ever. */
    mend() {
      for (const pair of pairs)
        for (const socket of pair) socket.pause().removeAllListeners('data');
      swallowing = false;
    },
    stop() {
      server.close();
      cut();
    },
  };
}
