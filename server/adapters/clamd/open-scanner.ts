import { connect } from 'node:net';
import { type OpenScan, ScannerDownError, type Verdict } from '../../files/malware-scan.ts';

/**
 * A scanner that says nothing for this long is down. While it scans, it says nothing, and clamd gives
 * itself two minutes for a file (MaxScanTime).
 */
const SILENT_MS = 150_000;

/**
 * Asks ClamAV's daemon (INSTREAM, clamd(8)).
 * @param address the path of its socket, or host:port
 */
export function openScanner(address: string): OpenScan {
  return () => {
    const colon = address.lastIndexOf(':');
    const socket = address.startsWith('/')
      ? connect({ path: address })
      : connect({ host: address.slice(0, colon), port: Number(address.slice(colon + 1)) });
    let reply = '';
    let fault: Error = new Error('It closed the connection without an answer');
    socket.setTimeout(SILENT_MS, () => socket.destroy(new Error('It does not answer')));
    socket.on('data', (text: Buffer) => {
      reply += text.toString('latin1');
    });
    socket.on('error', (error) => {
      fault = error;
    });
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));

    /** Resolves when the system has taken the bytes, or nobody will. */
    const send = (bytes: Uint8Array | string) =>
      Promise.race([new Promise<void>((resolve) => socket.write(bytes, () => resolve())), closed]);
    const begun = send('zINSTREAM\0');

    return {
      async add(chunk) {
        await begun;
        const length = Buffer.alloc(4);
        length.writeUInt32BE(chunk.length);
        await send(length);
        await send(chunk);
      },
      async end() {
        await send(Buffer.alloc(4));
        await closed;
        return readVerdict(reply, fault);
      },
      abandon: () => void socket.destroy(),
    };
  };
}

/** @throws ScannerDownError for any other answer, and for none */
function readVerdict(reply: string, fault: Error): Verdict {
  const answer = reply.replace(/\0.*$/s, '');
  if (answer === 'stream: OK') return { kind: 'clean' };
  const found = /^stream: (.+) FOUND$/.exec(answer);
  if (found) return { kind: 'infected', name: found[1] ?? '' };
  if (/size limit exceeded/i.test(answer)) return { kind: 'too-large' };
  throw new ScannerDownError({ cause: answer ? new Error(answer) : fault });
}
