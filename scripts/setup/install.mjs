import { join } from 'node:path';
import { hashFiles } from './hash-files.mjs';
import { modules } from './paths.mjs';
import { runQuietly } from './run-quietly.mjs';
import { readStamp, writeStamp } from './stamp.mjs';

const stamp = join(modules, '.padlink-installed');

function currentState() {
  return `${process.platform}-${process.arch} ${hashFiles(['package-lock.json'])}`;
}

/** How npm is run: by the Node it runs on itself, not by the one that it may replace. */
function npmCommand() {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env;
  if (cli && node) return [node, cli];
  return process.platform === 'win32' ? ['cmd.exe', '/d', '/s', '/c', 'npm'] : ['npm'];
}

/** Whether node_modules holds what the lockfile says, for this kind of machine. */
export function isInstalled() {
  return readStamp(stamp) === currentState();
}

/** Installs what the lockfile says. */
export function install() {
  console.log('Installing dependencies. The first time, this takes a minute or two…');
  const [command, ...args] = npmCommand();
  // Not `npm ci`: it refuses a lockfile without the optional packages of other platforms, and npm
  // writes such a one wherever the registry lacks some. `--no-save` keeps the lockfile as it is.
  // Whatever NODE_ENV says, the web app's build needs the development dependencies.
  runQuietly(command, [...args, 'install', '--no-save', '--include=dev', '--include=optional']);
  writeStamp(stamp, currentState());
}
