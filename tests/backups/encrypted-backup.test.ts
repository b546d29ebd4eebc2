import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  generateHybridIdentity,
  generateX25519Identity,
  identityToRecipient,
} from 'age-encryption';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createLink, seeLink, signUp, updateLink, uploadFile } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { createAim } from '../harness/aim.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { createDataFolder } from '../harness/run-folder.ts';
import { createTestEnvironment } from '../harness/test-environment.ts';
import { useApp } from '../harness/use-app.ts';

const EMAIL = 'grace.hopper@example.com';
const FILE_NAME = 'moth-in-relay-70.bin';
const TITLE = 'The first bug';

describeOnSqliteFirst('an encrypted backup', (database) => {
  const app = useApp({ database });
  const place = createDataFolder();
  const bytes = new Uint8Array(randomBytes(200_000));
  const keys: { identity: string; file: string; recipient: string }[] = [];
  let seller: Person;
  let id: string;

  beforeAll(async () => {
    for (const generate of [
      generateX25519Identity,
      generateHybridIdentity,
      generateX25519Identity,
    ]) {
      const identity = await generate();
      const file = join(place, `key-${keys.length}.txt`);
      writeFileSync(file, `# created: 2026-11-28\n# public key: …\n${identity}\n`);
      keys.push({ identity, file, recipient: await identityToRecipient(identity) });
    }
    seller = await signUp(app, { email: EMAIL });
    const { key } = await uploadFile(seller, { name: FILE_NAME, bytes });
    ({ id } = await createLink(seller, { key }));
    await updateLink(seller, { id, title: TITLE });
    await payFor(createPerson(app), id);
  });

  /** For the first two keys. */
  const backUp = async (folder: string, ...options: string[]) => {
    const encryptTo = keys.slice(0, 2).flatMap(({ recipient }) => ['--encrypt-to', recipient]);
    const words = ['backup', folder, ...encryptTo, ...options];
    const { status, stdout, stderr } = await runCli(app.env, ...words, '--json');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return JSON.parse(stdout);
  };
  const listFiles = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  const restoreTo = async (env: Record<string, string>, folder: string, ...options: string[]) => {
    const to = await createTestEnvironment({ database, env, empty: true });
    onTestFinished(to.remove);
    return { to, ...(await runCli(to.env, 'restore', folder, ...options)) };
  };
  const secret = () => app.env.APP_SECRET ?? readFileSync(join(app.dataDir, 'app-secret'), 'utf8');

  test('tells nothing without a key, and everything with any of them', async () => {
    const folder = join(place, 'sealed');
    // What was plain does not stay.
    expect(await runCli(app.env, 'backup', folder)).toMatchObject({ status: 0 });
    expect(await backUp(folder)).toMatchObject({ ok: true, encrypted: true });
    const { key } = (await seeLink(seller, id)) ?? {};
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const told = [EMAIL, FILE_NAME, TITLE, id, String(key), sha256, secret(), 'purchase'];
    for (const path of listFiles(folder)) {
      const content = readFileSync(path);
      for (const one of told) {
        expect(path).not.toContain(one);
        expect(content.includes(one)).toBe(false);
      }
      for (let at = 0; at < bytes.length; at += 50_000) {
        expect(content.includes(bytes.subarray(at, at + 32))).toBe(false);
      }
    }

    const none = await restoreTo({ APP_SECRET: secret() }, folder);
    expect(none).toMatchObject({ status: 1, stderr: expect.stringContaining('is encrypted') });
    const plain = join(place, 'plain');
    expect(await runCli(app.env, 'backup', plain)).toMatchObject({ status: 0 });
    const put = await restoreTo({ APP_SECRET: secret() }, plain, '--identity', keys[0]?.file ?? '');
    expect(put).toMatchObject({ status: 1, stderr: expect.stringContaining('is not encrypted') });
    const wrong = await restoreTo(
      { APP_SECRET: secret() },
      folder,
      '--identity',
      keys[2]?.file ?? '',
    );
    expect(wrong).toMatchObject({ status: 1, stderr: 'None of the keys opens this backup.\n' });
    for (const { file } of keys.slice(0, 2)) {
      const env: Record<string, string> = database === 'postgres' ? { APP_SECRET: secret() } : {};
      const { to, status, stdout } = await restoreTo(env, folder, '--identity', file);
      expect([status, stdout]).toEqual([0, expect.stringContaining('Every checksum is right')]);
      const again = join(place, `plain-${keys.findIndex((one) => one.file === file)}`);
      expect(await runCli(to.env, 'backup', again)).toMatchObject({ status: 0 });
      const lines = readFileSync(join(again, 'manifest.ndjson'), 'utf8');
      expect(lines).toContain(`"key":"${key}"`);
      expect(lines).toContain(`"sha256":"${sha256}"`);
    }
  });

  test('copies only what is new, and shares the files of one beside it', async () => {
    const [first, second] = [join(place, 'monday'), join(place, 'tuesday')];
    await backUp(first);
    expect(await backUp(first)).toMatchObject({ copied: 0 });
    expect(await backUp(second)).toMatchObject({ copied: 0 });
    const inodes = (folder: string) => listFiles(folder).map((path) => statSync(path).ino);
    expect(inodes(second).filter((inode) => inodes(first).includes(inode))).not.toEqual([]);
    // To other keys, all is written anew.
    for (const [day, key] of [
      ['wednesday', keys[0]],
      ['thursday', keys[2]],
    ] as const) {
      const encryptTo = ['--encrypt-to', key?.recipient ?? ''];
      const { stdout } = await runCli(app.env, 'backup', join(place, day), ...encryptTo, '--json');
      expect(JSON.parse(stdout)).toMatchObject({ copied: 1 });
    }
  });

  test('that is killed leaves the one before it whole, encrypted or not', {
    tags: 'long',
  }, async () => {
    const folder = join(place, 'killed');
    await backUp(folder);
    await uploadFile(seller, { name: 'more.bin', bytes: new Uint8Array(randomBytes(1_000)) });
    for (const options of [['--encrypt-to', keys[0]?.recipient ?? ''], []]) {
      const aim = createAim();
      aim.take({ call: 'sync file', nth: 1, moment: 'before' });
      const child = spawn(process.execPath, ['server/cli/main.ts', 'backup', folder, ...options], {
        env: { PATH: process.env.PATH, ...app.env, ...aim.env },
        stdio: 'ignore',
      });
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
      const identity = ['--identity', keys[1]?.file ?? ''];
      const restored = await restoreTo({ APP_SECRET: secret() }, folder, ...identity);
      expect(restored).toMatchObject({ status: 0 });
    }
  });

  test('is restored only whole, and says what is damaged', { tags: 'long' }, async () => {
    const folder = join(place, 'damaged');
    await backUp(folder);
    const identity = ['--identity', keys[0]?.file ?? ''];
    const bySize = listFiles(folder).sort((a, b) => statSync(b).size - statSync(a).size);
    const manifest = join(folder, 'manifest.ndjson.age');
    for (const path of [manifest, bySize[0] ?? '']) {
      const whole = readFileSync(path);
      const last = Buffer.of((whole.at(-1) ?? 0) ^ 1);
      writeFileSync(path, Buffer.concat([whole.subarray(0, -1), last]));
      const { status, stderr } = await restoreTo({ APP_SECRET: secret() }, folder, ...identity);
      expect([status, stderr]).toEqual([1, expect.stringContaining(`${path} is damaged`)]);
      writeFileSync(path, whole);
    }
  });

  test('refuses what is no key, and leaves out the secret where it is asked to', async () => {
    for (const key of ['age1nonsense', 'AGE-SECRET-KEY-1QQQ', keys[0]?.identity ?? '']) {
      const { status, stderr } = await runCli(
        app.env,
        'backup',
        join(place, 'none'),
        '--encrypt-to',
        key,
      );
      expect([status, stderr]).toEqual([1, expect.stringContaining('is no public key of age')]);
      expect(stderr).not.toContain('AGE-SECRET-KEY');
    }
    if (database === 'postgres') return;
    const folder = join(place, 'without');
    expect(await backUp(folder, '--without-secret')).toMatchObject({ secret: 'left out' });
    const identity = ['--identity', keys[0]?.file ?? ''];
    expect(await restoreTo({}, folder, ...identity)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('The backup contains no secret.'),
    });
    expect(await restoreTo({ APP_SECRET: secret() }, folder, ...identity)).toMatchObject({
      status: 0,
    });
  });
});
