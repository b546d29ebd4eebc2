import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { compressAssets } from './compress-assets.mjs';
import { hashFiles } from './hash-files.mjs';
import { findPinnedNode, modules, program, root } from './paths.mjs';
import { runQuietly } from './run-quietly.mjs';
import { readStamp, removeStamp, writeStamp } from './stamp.mjs';

const common = ['contract', 'scripts/setup', 'package-lock.json'];
const webApp = {
  stamp: join(root, 'dist', '.padlink-built'),
  sources: ['web', 'vite.config.ts', ...common],
  build: buildWebApp,
};
const server = {
  stamp: join(root, 'dist', '.padlink-bundled'),
  sources: ['server', 'sandbox', ...common],
  build: bundleServer,
};

const isCurrent = ({ stamp, sources }) => readStamp(stamp) === hashFiles(sources);

/** Whether dist holds the web app and the server as their sources are now. */
export function isBuilt() {
  return isCurrent(webApp) && isCurrent(server);
}

/** Builds what of both is not as its sources are now. */
export function build() {
  for (const part of [webApp, server]) {
    if (isCurrent(part)) continue;
    const state = hashFiles(part.sources);
    removeStamp(part.stamp);
    part.build();
    writeStamp(part.stamp, state);
  }
}

/** Known once the packages are installed. */
const findNode = () => findPinnedNode() ?? process.execPath;

/** Removes a bundled server that is older than its sources, so that these run. */
export function removeStaleServer() {
  if (!isCurrent(server)) rmSync(program, { force: true });
}

function bundleServer() {
  runQuietly(findNode(), [join('scripts', 'setup', 'bundle-server.mjs')]);
}

/** For the browser and for rendering on the server. */
function buildWebApp() {
  console.log('Building the web app, which takes some seconds…');
  const node = findNode();
  const vite = [join(modules, 'vite', 'bin', 'vite.js'), 'build'];
  const env = { NODE_ENV: 'production' };
  runQuietly(node, [...vite, '--outDir', 'dist/client'], env);
  runQuietly(
    node,
    [...vite, '--ssr', 'web/entry-server.tsx', '--outDir', 'dist/server', '--minify'],
    env,
  );
  compressAssets(join(root, 'dist', 'client', 'assets'));
}
