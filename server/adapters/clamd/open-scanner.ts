import { connect } from 'node:net';
import { type OpenScan, ScannerDownError, type Verdict } from '../../files/malware-scan.ts';

/**
 * A scanner that says nothing for this long is down. While it scans, it says nothing: clamd gives
 * itself two minutes for a file (MaxScanTime), which is raised for large ones.
 */
const SILENT_MS = 15 * 60_000;
/** clamd looks into no larger file, and without AlertExceedsMax calls it clean. */
const LARGEST_SCANNED_BYTES = 2_147_483_645;

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
    let sent = 0;
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
        sent += chunk.length;
        const length = Buffer.alloc(4);
        length.writeUInt32BE(chunk.length);
        await send(length);
        await send(chunk);
      },
      async end() {
        await send(Buffer.alloc(4));
        await closed;
        const verdict = readVerdict(reply, fault);
        const isSkipped = verdict.kind === 'clean' && sent > LARGEST_SCANNED_BYTES;
        return isSkipped ? { kind: 'too-large' } : verdict;
      },
      abandon: () => void socket.destroy(),
    };
  };
}

/** @throws ScannerDownError for any other answer, and for none */
function readVerdict(reply: string, fault: Error): Verdict {
  const answer = reply.replace(/\0.*$/s, '');
  if (answer === 'stream: OK') return { kind: 'clean' };
  // The daemon's own limits, with AlertExceedsMax: what it would have had to look at is too much.
  if (/size limit exceeded|Heuristics\.Limits\.Exceeded/i.test(answer))
    return { kind: 'too-large' };
  const found = /^stream: (.+) FOUND$/.exec(answer);
  if (found) return { kind: 'infected', name: found[1] ?? '' };
  throw new ScannerDownError({ cause: answer ? new Error(answer) : fault });
}
