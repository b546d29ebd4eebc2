import { createHash } from 'node:crypto';

/**
 * The service worker of a build, told apart from those of others by a hash of `build`: browsers
 * install a worker anew, and so fetch the page they keep, only where its text has changed.
 */
export function stampServiceWorker(worker: string, build: string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(build)).digest('hex').slice(0, 16);
  return `${worker}\n// Build ${hash}\n`;
}
