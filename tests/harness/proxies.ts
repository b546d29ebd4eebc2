import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { whileAlive } from './eventually.ts';
import { findProgram } from './find-program.ts';

const recipes = join(import.meta.dirname, '../../deploy');

/** Where a proxy is tested: without TLS, on a port of this machine, in a folder of its own. */
type Place = { port: number; appPort: number; folder: string; dataDir: string };

/** How each recipe is fitted to its place, and its program told to stay in the foreground. */
const PROXIES = {
  nginx: {
    recipe: 'nginx.conf',
    fitted: (text: string, { port, folder, dataDir }: Place) => {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const site = text
        .replaceAll(/^ *(listen \[::\]|ssl_certificate).*\n/gm, '')
        .replace('listen 80;', `listen unix:${folder}/80;`)
        .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
        .replace('server_name pay.example.com;\n  access', 'access')
        .replaceAll('/var/lib/padlink', dataDir)
        .replaceAll('/var/log/nginx', folder);
      return `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
        ${process.getuid?.() === 0 ? 'user root;' : ''}
        events {}
        http {
          ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
          ${site}
        }`;
    },
    args: (config: string, folder: string) => ['-c', config, '-p', folder],
  },
  caddy: {
    recipe: 'Caddyfile',
    fitted: (text: string, { port }: Place) =>
      `{\nadmin off\ndefault_bind 127.0.0.1\n}\n${text}`.replace(
        '{$DOMAIN:pay.example.com}',
        `http://localhost:${port}`,
      ),
    args: (config: string) => ['run', '--config', config, '--adapter', 'caddyfile'],
  },
  haproxy: {
    recipe: 'haproxy.cfg',
    fitted: (text: string, { port }: Place) =>
      text
        .replaceAll(/^ *(user|group|bind :80|http-request redirect) ?.*\n/gm, '')
        .replace('/dev/log', 'stderr format raw')
        .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`),
    args: (config: string) => ['-db', '-f', config],
  },
};

export type ProxyName = keyof typeof PROXIES;
export const PROXY_NAMES = Object.keys(PROXIES) as ProxyName[];

export interface RunningProxy {
  /** What it writes its files to. */
  folder: string;
  stop(): Promise<void>;
}

/** Starts a proxy by its recipe; null where this machine has none. */
export async function startProxy(
  name: ProxyName,
  place: Omit<Place, 'folder'>,
): Promise<RunningProxy | null> {
  const program = findProgram(name);
  if (!program) return null;
  const { recipe, fitted, args } = PROXIES[name];
  const folder = join(place.dataDir, '..', `${name}-${place.port}`);
  mkdirSync(folder, { recursive: true });
  const config = join(folder, recipe);
  const text = readFileSync(join(recipes, recipe), 'utf8');
  const local = fitted(text, { ...place, folder });
  writeFileSync(config, local.replace('127.0.0.1:3000', `127.0.0.1:${place.appPort}`));
  const child = spawn(program, args(config, folder), {
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = collect(child);
  await whileAlive(child, async () => {
    const { ok } = await fetch(`http://localhost:${place.port}/readyz`);
    if (!ok) throw new Error('Not ready.');
  }).catch((cause) => {
    throw new Error(`${name} does not answer: ${said()}`, { cause });
  });
  return {
    folder,
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

function collect({ stdout, stderr }: ChildProcess): () => string {
  let said = '';
  for (const stream of [stdout, stderr]) {
    stream?.on('data', (chunk) => {
      said += chunk;
    });
  }
  return () => said;
}
