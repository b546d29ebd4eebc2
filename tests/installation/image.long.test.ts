import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sellFile, signUp, storageUrl, waitUntilUnlocked } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { whileAlive } from '../harness/eventually.ts';
import { findFreePort } from '../harness/free-port.ts';
import { createPerson } from '../harness/person.ts';
import { createDataFolder } from '../harness/run-folder.ts';

const root = join(import.meta.dirname, '../..');
/** The user of the image. */
const USER = 10_001;
const SIZE = 48 * 1024 ** 2;

test('an image is built from no more than a package needs', () => {
  const allowed = readFileSync(join(root, '.dockerignore'), 'utf8').match(/^!.*/gm);
  const packaging = readFileSync(join(root, 'scripts/package.mjs'), 'utf8');
  const taken = [...packaging.matchAll(/^const (?:PROGRAM|FILES) = (\[.*\]);$/gm)];
  const names = taken.flatMap(([, list = '']) => list.match(/(?<=')[\w./-]+(?=')/g) ?? []);
  const folders = names.map((name) => `!${name.split('/')[0]}`).filter((name) => name !== '!dist');
  expect(folders.length).toBeGreaterThan(8);
  expect(allowed).toEqual(expect.arrayContaining(folders));
  const image = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const copied = [...image.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, list = '']) =>
    list.split(' ').filter((name) => name !== '.'),
  );
  expect(copied).toContain('client/package.json');
  const rules = allowed?.map((rule) => rule.slice(1)) ?? [];
  const isAllowed = (name: string) =>
    rules.some((rule) => name === rule || name.startsWith(`${rule}/`));
  expect(copied.filter((name) => !isAllowed(name))).toEqual([]);
});

/**
 * Without a container engine: Debian's buildah builds the image, and a file system of its own that
 * cannot be written to runs it. PADLINK_IMAGE is the base image, PADLINK_IMAGE_BUILD more words for
 * `buildah bud`.
 */
function openImage(base: string) {
  const buildah = (...words: string[]) =>
    execFileSync('buildah', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 2] });
  const more = process.env.PADLINK_IMAGE_BUILD?.split(' ') ?? [];
  const how = [
    '--isolation=chroot',
    '--network=host',
    '--format=docker',
    `--build-arg=BASE=${base}`,
  ];
  buildah('bud', ...how, ...more, '--tag=padlink-tested', '.');
  const { config } = JSON.parse(buildah('inspect', '--type=image', 'padlink-tested')).Docker;
  const container = buildah('from', 'padlink-tested').trim();
  const files = buildah('mount', container).trim();
  const data = createDataFolder();
  chownSync(data, USER, USER);

  /** As with `docker run --read-only --tmpfs /tmp --volume …:/data`. */
  function run(env: Record<string, string>, command: string[]) {
    const within = `
      mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"
      mount --bind "$1" "$0/data" && mount -t tmpfs tmpfs "$0/tmp"
      mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev"
      shift; exec chroot --userspec=${USER}:${USER} "$0" env -i -C ${config.WorkingDir} "$@"`;
    const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    return spawn(
      'unshare',
      ['--mount', 'sh', '-ec', within, files, data, ...config.Env, ...settings, ...command],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
  }

  return {
    config,
    run,
    remove() {
      buildah('rm', container);
    },
  };
}

const base = process.env.PADLINK_IMAGE;
if (base) {
  describe('the image', () => {
    let image: ReturnType<typeof openImage>;

    beforeAll(() => {
      image = openImage(base);
    }, 900_000);
    afterAll(() => image?.remove());

    test('sells, finishes a download when it is stopped, and goes on', async () => {
      const port = await findFreePort();
      const origin = `http://localhost:${port}`;
      const env = { HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: origin, LOG_LEVEL: 'warn' };
      const { Cmd, Healthcheck, User } = image.config;
      expect(User).toBe('padlink');

      const start = async () => {
        const child = image.run(env, Cmd);
        const ended = once(child, 'exit');
        await whileAlive(child, async () => {
          if (!(await fetch(`${origin}/readyz`)).ok) throw new Error('Not ready.');
        });
        return { child, ended };
      };
      const runs = async (command: string[]) => (await once(image.run(env, command), 'exit'))[0];

      let server = await start();
      const [, ...healthy] = Healthcheck.Test;
      expect(await runs(healthy)).toBe(0);
      expect(await runs(['padlink', 'ledger', 'check'])).toBe(0);
      expect(await runs(['touch', '/srv/padlink/server/main.mjs'])).not.toBe(0);

      const { id, key, bytes } = await sellFile(await signUp({ origin }), { size: SIZE });
      const buyer = createPerson({ origin });
      await payFor(buyer, id);
      await waitUntilUnlocked(buyer, id);
      const path = await storageUrl(buyer, key ?? '');
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        get(path, { agent: false, family: 4 }, resolve).on('error', reject);
      });
      server.child.kill('SIGTERM');
      expect(Buffer.concat(await answer.toArray())).toEqual(Buffer.from(bytes));
      expect(await server.ended).toEqual([0, null]);
      expect(await runs(healthy)).toBe(1);

      server = await start();
      expect(await (await fetch(path)).bytes()).toEqual(bytes);
      server.child.kill('SIGTERM');
      expect(await server.ended).toEqual([0, null]);
    });
  });
}
