import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLink, signUp, storageUrl } from '../../tests/factories/factories.ts';
import { findProgram } from '../../tests/harness/find-program.ts';
import { type Comparison, type Contestant, compare } from '../compare.ts';
import { openFolder } from '../open-folder.ts';
import { receiveFile } from '../receive-file.ts';
import type { Row } from '../row.ts';
import { startNginx } from '../start-nginx.ts';
import { startPadlink } from '../start-padlink.ts';
import { uploadLarge } from '../upload-large.ts';

const MEBIBYTES = 1024;
/** One download takes a third of a second: too short to measure alone. */
const TIMES = 2;

/** 1 GiB down, by Padlink itself and handed over to nginx, beside nginx's sendfile. */
export async function download(): Promise<Row[]> {
  const nginx = findProgram('nginx');
  if (!nginx) {
    console.log('There is no nginx on this machine: the download is not measured.');
    return [];
  }
  using folder = openFolder();
  const path = await uploadOnce(folder.path);
  const direct = await compareWithNginx(nginx, folder.path, path, null);
  const handedOver = await compareWithNginx(nginx, folder.path, path, '/protected/');
  const rest = { unit: 'MiB/s', against: 'nginx sendfile' } as const;
  return [
    { name: 'Download of 1 GiB, direct', ...rest, target: 0.2, ...direct },
    { name: 'Download of 1 GiB, X-Accel', ...rest, target: 0.9, ...handedOver },
  ];
}

/** @returns the path to download the file by, on whichever Padlink then runs on the folder */
async function uploadOnce(dataDir: string): Promise<string> {
  await using padlink = await startPadlink(dataDir);
  const seller = await signUp(padlink);
  const key = await uploadLarge(seller, MEBIBYTES);
  await createLink(seller, { key });
  return new URL(await storageUrl(seller, key)).pathname;
}

/** `accel` is where Padlink hands its downloads over to nginx; without it, it sends them itself. */
async function compareWithNginx(
  nginx: string,
  dataDir: string,
  path: string,
  accel: string | null,
): Promise<Comparison> {
  const blobs = join(dataDir, 'blobs');
  const [blob] = readdirSync(blobs);
  using nginxFolder = openFolder();
  await using padlink = await startPadlink(dataDir, accel ? { DOWNLOAD_ACCEL: accel } : {});
  const upstream = padlink.origin;
  await using front = await startNginx(nginx, { folder: nginxFolder.path, blobs, upstream });
  return await compare(
    readingTimes((accel ? front : padlink).origin + path),
    readingTimes(`${front.origin}/plain/${blob}`),
  );
}

function readingTimes(url: string): Contestant {
  return {
    pid: null,
    async work() {
      let mebibytes = 0;
      for (let time = 0; time < TIMES; time++) mebibytes += await receiveFile(url);
      return mebibytes;
    },
  };
}
