import { announceUpload } from '../tests/factories/factories.ts';
import type { Person } from '../tests/harness/person.ts';
import { sendFile } from './send-file.ts';

/** Uploads so many MiB as a browser does, in one request. @returns the key */
export async function uploadLarge(seller: Person, mebibytes: number): Promise<string> {
  const name = `large-${performance.now()}.bin`;
  const announced = await announceUpload(seller, { name, size: mebibytes * 1024 ** 2 });
  const headers = {
    cookie: Array.from(seller.cookies, ([cookie, value]) => `${cookie}=${value}`).join('; '),
    'tus-resumable': '1.0.0',
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
  };
  const url = seller.origin + announced.headers.get('location');
  await sendFile(url, { method: 'PATCH', headers }, mebibytes);
  return decodeURIComponent(announced.headers.get('upload-key') ?? '');
}
