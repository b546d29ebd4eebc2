import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What a line does: pass everything on, take everything without a word, or refuse. */
type State = 'passes' | 'is silent' | 'is dead';

/** A line on a random port of 127.0.0.1 to a server that may fall silent or die. */
export async function startFaultyLine(target: { host: string; port: number }) {
  let state: State = 'passes';
  const sockets = new Set<Socket>();
  const unanswered = new Set<Socket>();
  /** Whose server went away while the line was silent, which says nothing of that either. */
  const left = new Set<Socket>();

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      unanswered.delete(socket);
      left.delete(socket);
    });
  }

  const server = createServer((client) => {
    keep(client);
    if (state === 'is dead') return void client.destroy();
    if (state === 'is silent') return void unanswered.add(client);
    const upstream = connect(target.port, target.host);
    keep(upstream);
    client.on('data', (bytes) => {
      if (state === 'passes') upstream.write(bytes);
      else unanswered.add(client);
    });
    upstream.on('data', (bytes) => {
      if (state === 'passes') client.write(bytes);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => {
      if (state === 'is silent') left.add(client);
      else client.destroy();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** Open connections that wait for a word since it fell silent. */
    unanswered: () => unanswered.size,
    become(next: State) {
      state = next;
      if (state === 'is dead') for (const socket of sockets) socket.destroy();
      if (state === 'passes') for (const socket of left) socket.destroy();
    },
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
