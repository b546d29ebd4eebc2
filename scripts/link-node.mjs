// npm <= 11.0 makes no node_modules/.bin/node when several installed or optional packages
// share the command name `node`, and then `npm start` would run the system's Node.
import { chmodSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { findPinnedNode, modules } from './setup/paths.mjs';

const commands = join(modules, '.bin');
const link = join(commands, 'node');

function isLinkedTo(target) {
  try {
    return realpathSync(link) === realpathSync(target);
  } catch {
    return false;
  }
}

function linkOnUnix(target) {
  if (isLinkedTo(target)) return;
  rmSync(link, { force: true });
  symlinkSync(relative(commands, target), link);
}

function writeShimsOnWindows(target) {
  const path = relative(commands, target);
  writeFileSync(`${link}.cmd`, `@"%~dp0\\${path}" %*\r\n`);
  writeFileSync(link, `#!/bin/sh\nexec "$(dirname "$0")/${path.replaceAll('\\', '/')}" "$@"\n`);
}

try {
  const target = findPinnedNode();
  if (target) {
    mkdirSync(dirname(link), { recursive: true });
    if (process.platform === 'win32') writeShimsOnWindows(target);
    else {
      chmodSync(target, 0o755);
      linkOnUnix(target);
    }
  }
} catch (error) {
  // An install must not fail over this: the system's Node may be new enough.
  console.warn(`Could not link the pinned Node: ${error.message}`);
}
