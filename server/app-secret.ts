import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from './adapters/storage/disk/make-durable.ts';
import { orNullWhenMissing } from './adapters/storage/disk/when-missing.ts';

/**
 * The secret that signs sessions and URLs: made once per data folder, readable by its owner only.
 * Whoever calls holds the folder's lock. A missing one, or an empty one as a full disk used to leave
 * behind, is replaced if none was ever used.
 * @throws Error that says how to go on
 */
export async function loadAppSecret(
  dataDir: string,
  wasUsed: () => Promise<boolean>,
): Promise<string> {
  const path = join(dataDir, 'app-secret');
  const found = await orNullWhenMissing(readFile(path, 'utf8'));
  if (found !== null && found.length >= 32) return found;
  if (await wasUsed()) {
    throw new Error(`${path} is ${found === null ? 'missing' : 'damaged'}, and this installation has used it: personal links in receipts and everybody's sessions depend on it. To go on:
- Restore it from the backup, or set APP_SECRET to what it held.
- Is it lost for good? npm run cli -- secret accept`);
  }
  const secret = randomBytes(32).toString('base64url');
  await replaceFile(dataDir, path, secret);
  return secret;
}
