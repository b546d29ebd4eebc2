import { join } from 'node:path';
import { findFreePort } from '../tests/harness/free-port.ts';
import { type Server, startProcess } from './start-process.ts';

const SCRIPT = join(import.meta.dirname, 'bare-server.ts');

/** The yardstick: plain node:http that sends `htmlBytes` and pipes what it gets to a file. */
export async function startBareServer(htmlBytes: number, uploadFile = ''): Promise<Server> {
  const port = await findFreePort();
  return startProcess([process.execPath, SCRIPT, String(port), String(htmlBytes), uploadFile], {
    origin: `http://127.0.0.1:${port}`,
    readyPath: '/p/',
  });
}
