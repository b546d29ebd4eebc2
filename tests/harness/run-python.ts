import { spawnSync } from 'node:child_process';
import { skipWithout } from './needs.ts';

/** What a script of the system's own Python prints. @throws Error with what it says when it fails */
export function runPython(
  script: string,
  { input, args = [] }: { input?: Uint8Array; args?: string[] },
): string {
  const ran = spawnSync('python3', ['-c', script, ...args], { input, encoding: 'utf8' });
  if (ran.error) return skipWithout('python');
  if (ran.status !== 0) throw new Error(ran.stderr);
  return ran.stdout;
}
