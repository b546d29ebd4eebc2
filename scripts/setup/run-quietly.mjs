import { spawnSync } from 'node:child_process';
import { root } from './paths.mjs';

/**
 * Runs a command in the root and keeps what it prints to itself, unless it fails:
 * then everything is shown and this process ends with the command's exit code.
 */
export function runQuietly(command, args, env = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (result.status === 0) return;
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
  if (result.error) process.stderr.write(`${command}: ${result.error.message}\n`);
  process.exitCode = result.status ?? 1;
  throw new Error(`Failed: ${[command, ...args].join(' ')}`);
}
