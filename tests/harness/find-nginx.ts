import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The nginx of this machine, or null. */
export function findNginx(): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, 'nginx')).find(existsSync) ?? null;
}
