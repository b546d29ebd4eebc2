import { finished, type Readable } from 'node:stream';

/** How much may wait for the disk before the client has to. */
const MAX_QUEUED_BYTES = 512 * 1024;

/**
 * The bytes of a request as they come: while one batch is used, the next one gathers. A batch
 * must not be touched after the next was asked for, because its memory is given back then.
 * @throws Error when the client leaves, after what came before was handed out
 */
export async function* readBatches(body: Readable): AsyncGenerator<Uint8Array[], void> {
  const state: { gathered: Buffer[]; bytes: number; ended: boolean; error?: Error | null } = {
    gathered: [],
    bytes: 0,
    ended: false,
  };
  let wake = () => {};
  const gather = (chunk: Buffer) => {
    state.gathered.push(chunk);
    state.bytes += chunk.length;
    if (state.bytes >= MAX_QUEUED_BYTES) body.pause();
    wake();
  };
  const forget = finished(body, { writable: false }, (error) => {
    Object.assign(state, { ended: true, error });
    wake();
  });
  body.on('data', gather);
  try {
    for (;;) {
      const batch = state.gathered;
      if (batch.length > 0) {
        Object.assign(state, { gathered: [], bytes: 0 });
        body.resume();
        yield batch;
        batch.forEach(giveBack);
      } else if (state.ended) {
        if (state.error) throw state.error;
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    body.off('data', gather);
    body.pause();
    forget();
  }
}

/**
 * Each chunk of a request has a memory block of its own, which the garbage collector lets pile up
 * to 64 MiB before it looks. A block that nobody else shares is freed at once (decision 004).
 */
function giveBack({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
