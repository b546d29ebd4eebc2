import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hashFiles } from './hash-files.mjs';
import { findPinnedNode, modules } from './paths.mjs';
import { runQuietly } from './run-quietly.mjs';
import { readStamp, writeStamp } from './stamp.mjs';

const stamp = join(modules, '.padlink-installed');

/** What `npm start` builds and runs with; `tools` are the packages that only checks and tests need. */
function currentState(tools) {
  const packages = tools ? 'all' : 'without tools';
  return `${process.platform}-${process.arch} ${hashFiles(['package-lock.json'])} ${packages}`;
}

/** How npm is run: by the Node it runs on itself, not by the one that it may replace. */
function npmCommand() {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env;
  if (cli && node) return [node, cli];
  return process.platform === 'win32' ? ['cmd.exe', '/d', '/s', '/c', 'npm'] : ['npm'];
}

/** Whether node_modules holds what the lockfile says, for this kind of machine. */
export function isInstalled({ tools }) {
  const state = readStamp(stamp);
  return state === currentState(true) || (!tools && state === currentState(false));
}

/** Installs what the lockfile says. Tools that are there stay. */
export function install({ tools }) {
  console.log('Installing dependencies. The first time, this takes a minute or so…');
  const all = tools || existsSync(join(modules, '@biomejs'));
  const [command, ...args] = npmCommand();
  // Not `npm ci`: it refuses a lockfile without the optional packages of other platforms, and npm
  // writes such a one wherever the registry lacks some. `--no-save` keeps the lockfile as it is.
  // Whatever NODE_ENV says, what is needed is named here.
  const which = [all ? '--include=dev' : '--omit=dev', '--include=optional'];
  runQuietly(command, [...args, 'install', '--no-save', ...which]);
  removeUnused();
  writeStamp(stamp, currentState(all));
}

/** What a server draws with of the packages of fonts. */
const FONT = /-(wght|400)-normal\.woff2$/;

/**
 * A third of the pinned Node's package: what add-ons are compiled with, its manual and history; and
 * of the fonts what is italic, narrow or for old browsers.
 */
function removeUnused() {
  const node = findPinnedNode();
  for (const name of node ? ['include', 'share', 'CHANGELOG.md'] : []) {
    rmSync(join(dirname(node), '..', name), { recursive: true, force: true });
  }
  for (const scope of ['@fontsource', '@fontsource-variable'].map((name) => join(modules, name))) {
    for (const family of readdirSync(scope)) {
      const files = join(scope, family, 'files');
      for (const name of readdirSync(files)) if (!FONT.test(name)) rmSync(join(files, name));
    }
  }
}
