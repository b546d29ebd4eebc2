import { join } from 'node:path';
import { compressAssets } from './compress-assets.mjs';
import { hashFiles } from './hash-files.mjs';
import { findPinnedNode, modules, root } from './paths.mjs';
import { runQuietly } from './run-quietly.mjs';
import { readStamp, removeStamp, writeStamp } from './stamp.mjs';

const stamp = join(root, 'dist', '.padlink-built');
const sources = ['web', 'contract', 'scripts/setup', 'vite.config.ts', 'package-lock.json'];

/** Whether dist holds the web app as its sources are now. */
export function isBuilt() {
  return readStamp(stamp) === hashFiles(sources);
}

/** Builds the web app for the browser and for rendering on the server. */
export function build() {
  console.log('Building the web app, which takes some seconds…');
  const state = hashFiles(sources);
  removeStamp(stamp);
  const node = findPinnedNode() ?? process.execPath;
  const vite = [join(modules, 'vite', 'bin', 'vite.js'), 'build'];
  const env = { NODE_ENV: 'production' };
  runQuietly(node, [...vite, '--outDir', 'dist/client'], env);
  runQuietly(
    node,
    [...vite, '--ssr', 'web/entry-server.tsx', '--outDir', 'dist/server', '--minify'],
    env,
  );
  compressAssets(join(root, 'dist', 'client', 'assets'));
  writeStamp(stamp, state);
}
