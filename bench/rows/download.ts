import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLink, signUp, storageUrl } from '../../tests/factories.ts';
import { compare } from '../compare.ts';
import { openFolder } from '../open-folder.ts';
import { receiveFile } from '../receive-file.ts';
import type { Row } from '../row.ts';
import { findNginx, startNginx } from '../start-nginx.ts';
import { startPadlink } from '../start-padlink.ts';
import { uploadLarge } from '../upload-large.ts';

const MEBIBYTES = 1024;
/** One download takes a third of a second: too short to measure alone. */
const TIMES = 4;

/** 1 GiB down, by Padlink itself and handed over to nginx, beside nginx's sendfile. */
export async function download(): Promise<Row[]> {
  const nginx = findNginx();
  if (!nginx) {
    console.log('There is no nginx on this machine: the download is not measured.');
    return [];
  }
  using folder = openFolder();
  using nginxFolder = openFolder();
  const blobs = join(folder.path, 'blobs');
  await using padlink = await startPadlink(folder.path);
  const seller = await signUp(padlink);
  const key = await uploadLarge(seller, MEBIBYTES);
  await createLink(seller, { key });
  const url = await storageUrl(seller, key);
  const [blob] = readdirSync(blobs);
  // A second Padlink on the same data, that hands its downloads over.
  await using handing = await startPadlink(folder.path, { DOWNLOAD_ACCEL: '/protected/' });
  await using front = await startNginx(nginx, {
    folder: nginxFolder.path,
    blobs,
    upstream: handing.origin,
  });

  const reading = (url: string) => ({
    pid: null,
    async work() {
      let mebibytes = 0;
      for (let time = 0; time < TIMES; time++) mebibytes += await receiveFile(url);
      return mebibytes;
    },
  });
  const sendfile = reading(`${front.origin}/plain/${blob}`);
  const direct = await compare(reading(url), sendfile);
  const handedOver = await compare(reading(front.origin + new URL(url).pathname), sendfile);
  const rest = { unit: 'MiB/s', against: 'nginx sendfile' } as const;
  return [
    { name: 'Download of 1 GiB, direct', ...rest, target: 0.2, ...direct },
    { name: 'Download of 1 GiB, X-Accel', ...rest, target: 0.9, ...handedOver },
  ];
}
