import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { announceUpload, createLink, signUp, storageUrl } from '../../tests/factories.ts';
import { inTurns, readRate, writeRate } from '../measure-transfer.ts';
import { findNginx, startNginx } from '../nginx.ts';
import type { Row } from '../row.ts';
import { type Subject, startBareServer, startSubject } from '../subject.ts';

const MEBIBYTES = 1024;

/** A file of 1 GiB up and down: beside a plain pipe to a file, and beside nginx's sendfile. */
export async function transfer(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'padlink-bench-transfer-'));
  const subject = await startSubject();
  const bare = await startBareServer(0, join(folder, 'pipe.bin'));
  try {
    const seller = await signUp(subject);
    let key = '';
    const toPadlink = async () => {
      const name = `large-${performance.now()}.bin`;
      const announced = await announceUpload(seller, { name, size: MEBIBYTES * 1024 ** 2 });
      key = decodeURIComponent(announced.headers.get('upload-key') ?? '');
      const headers = {
        cookie: [...seller.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      };
      const url = subject.origin + announced.headers.get('location');
      return writeRate(url, { method: 'PATCH', headers }, MEBIBYTES);
    };
    const toFile = () =>
      writeRate(`${bare.origin}/upload`, { method: 'POST', headers: {} }, MEBIBYTES);
    const up = await inTurns({ ours: toPadlink, yardstick: toFile });
    const rows: Row[] = [
      {
        name: 'Upload of 1 GiB',
        ...up,
        unit: 'MiB/s',
        against: 'node:http piped to a file',
        target: 0.6,
      },
    ];
    await createLink(seller, { key });
    const url = await storageUrl(seller, key);
    return [...rows, ...(await downloads(subject, folder, url))];
  } finally {
    await bare.stop();
    await subject.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function downloads(subject: Subject, folder: string, url: string): Promise<Row[]> {
  const nginx = findNginx();
  if (!nginx) {
    console.log('No nginx on this machine: the rows of the download are left out.');
    return [];
  }
  // A second Padlink on the same data, that hands its downloads over.
  const handing = await startSubject({ DATA_DIR: subject.dataDir, DOWNLOAD_ACCEL: '/protected/' });
  const server = await startNginx(nginx, folder, {
    files: folder,
    upstream: handing.origin,
    blobs: join(subject.dataDir, 'blobs'),
  });
  try {
    const path = new URL(url).pathname;
    const rates = await inTurns({
      sendfile: () => readRate(`${server.origin}/files/pipe.bin`),
      direct: () => readRate(url),
      handedOver: () => readRate(server.origin + path),
    });
    const rest = { unit: 'MiB/s', against: 'nginx sendfile', yardstick: rates.sendfile } as const;
    return [
      { name: 'Download of 1 GiB, direct', ours: rates.direct, ...rest, target: 0.2 },
      { name: 'Download of 1 GiB, X-Accel', ours: rates.handedOver, ...rest, target: 0.9 },
    ];
  } finally {
    await server.stop();
    await handing.stop();
  }
}
