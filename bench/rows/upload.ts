import { join } from 'node:path';
import { signUp } from '../../tests/factories/factories.ts';
import { compare } from '../compare.ts';
import { openFolder } from '../open-folder.ts';
import type { Row } from '../row.ts';
import { sendFile } from '../send-file.ts';
import { startBareServer } from '../start-bare-server.ts';
import { startPadlink } from '../start-padlink.ts';
import { uploadLarge } from '../upload-large.ts';

const MEBIBYTES = 1024;

/** 1 GiB up, until it is safe on the disk, beside a plain pipe that leaves it to the system. */
export async function upload(): Promise<Row[]> {
  using folder = openFolder();
  await using padlink = await startPadlink(folder.path);
  await using bare = await startBareServer(0, join(folder.path, 'pipe.bin'));
  const seller = await signUp(padlink);
  const comparison = await compare(
    {
      pid: padlink.pid,
      async work() {
        await uploadLarge(seller, MEBIBYTES);
        return MEBIBYTES;
      },
    },
    {
      pid: bare.pid,
      work: () => sendFile(`${bare.origin}/upload`, { method: 'POST', headers: {} }, MEBIBYTES),
    },
  );
  const against = 'node:http piped to a file';
  return [{ name: 'Upload of 1 GiB', unit: 'MiB/s', against, target: 0.6, ...comparison }];
}
