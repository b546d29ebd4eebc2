import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { hash as digest } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import {
  createLink,
  graphql,
  publishableKey,
  sellFile,
  signUp,
  storageUrl,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { eventually, whileAlive } from '../harness/eventually.ts';
import { findProgram } from '../harness/find-program.ts';
import { findFreePort } from '../harness/free-port.ts';
import { skipWithout } from '../harness/needs.ts';
import { createPerson } from '../harness/person.ts';
import { createDataFolder } from '../harness/run-folder.ts';

const root = join(import.meta.dirname, '../..');
const unit = join(root, 'deploy/padlink.service');

const hash = (bytes: Uint8Array) => digest('sha256', bytes);

const analyze = (...words: string[]) => spawnSync('systemd-analyze', words, { encoding: 'utf8' });

test('systemd finds little in the unit that a captured Padlink could do', () => {
  if (!findProgram('systemd-analyze')) return skipWithout('systemd');
  // In tenths, of ten.
  expect(analyze('security', '--offline=true', '--threshold=25', unit)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/Overall exposure level for padlink\.service: [012]\.\d OK/),
  });
});

test('systemd understands every line of the unit, which starts what is there', () => {
  if (!findProgram('systemd-analyze')) return skipWithout('systemd');
  const here = join(createDataFolder(), 'padlink.service');
  writeFileSync(here, readFileSync(unit, 'utf8').replaceAll('/srv/padlink', root));
  const { status, stderr } = analyze('verify', '--man=no', here);
  // Of other units of this machine it may say what it likes.
  expect(stderr.split('\n').filter((line) => line.includes('padlink.service'))).toEqual([]);
  expect(status).toBe(0);
  const [, start = ''] = /^ExecStart=\S+ (\S+)$/m.exec(readFileSync(unit, 'utf8')) ?? [];
  expect(readFileSync(join(root, start), 'utf8')).toContain("import('./run.ts')");
});

/**
 * A machine that systemd boots, with processes, mounts and a name of its own: it begins with this
 * one's files, and what it writes goes with it.
 * @param installed the folder that is its /srv/padlink
 * @returns runs a command on it to its end, and answers what it printed
 */
async function bootMachine(installed: string): Promise<(command: string) => string> {
  const boot = `
    mount --make-rprivate / && mount -t tmpfs none "$0"
    cd "$0" && mkdir upper work root
    mount -t overlay none -o lowerdir=/,upperdir=upper,workdir=work root && cd root
    mkdir -p left srv/padlink && mount --bind "$1" srv/padlink
    mount -t proc none proc && mount --rbind /dev dev && mount -t sysfs none sys
    for own in dev/shm run tmp sys/fs/cgroup; do mount -t tmpfs none $own; done
    mkdir sys/fs/cgroup/unified sys/fs/cgroup/systemd
    mount -t cgroup2 none sys/fs/cgroup/unified
    mount -t cgroup -o none,name=systemd none sys/fs/cgroup/systemd
    pivot_root . left && umount -l left
    exec env -i container=test /lib/systemd/systemd --system --unit=basic.target`;
  const spaces = ['--mount', '--pid', '--uts', '--ipc', '--cgroup'];
  const how = [...spaces, '--fork', '--kill-child', 'sh', '-ec', boot, createDataFolder()];
  const machine = spawn('unshare', [...how, installed], { stdio: ['ignore', 'ignore', 2] });
  const ended = once(machine, 'exit');
  onTestFinished(async () => {
    machine.kill('SIGKILL');
    await ended;
  });
  const children = `/proc/${machine.pid}/task/${machine.pid}/children`;
  const run = (command: string) => {
    const first = readFileSync(children, 'utf8').trim();
    const within = ['--target', first, ...spaces, 'sh', '-ec', command];
    return execFileSync('nsenter', within, { encoding: 'utf8', stdio: ['ignore', 'pipe', 2] });
  };
  await whileAlive(machine, async () => run('systemctl is-active --quiet basic.target'));
  return run;
}

if (process.env.PADLINK_SYSTEMD) {
  test('systemd starts it, ends it without cutting a download, and starts it again', async () => {
    const installed = join(createDataFolder(), 'padlink');
    execFileSync(process.execPath, [join(root, 'scripts/package.mjs'), installed]);
    const run = await bootMachine(installed);
    const [port, sandboxPort] = [await findFreePort(), await findFreePort()];
    const origin = `http://localhost:${port}`;
    run(`
      useradd --system --home-dir /var/lib/padlink --shell /usr/sbin/nologin padlink
      cp ${unit} /etc/systemd/system/ && install --mode=600 /dev/null /etc/padlink.env
      printf 'PORT=${port}\\nPUBLIC_URL=${origin}\\nSANDBOX_PORT=${sandboxPort}\\n' > /etc/padlink.env
      systemctl daemon-reload && systemctl enable --now padlink`);
    const ready = () =>
      eventually(async () => expect((await fetch(`${origin}/readyz`)).status).toBe(200));
    await ready();
    expect(Number(/[\d.]+(?= OK)/.exec(run('systemd-analyze security padlink'))?.[0])).toBeLessThan(
      2.5,
    );

    const creator = await signUp({ origin });
    // Drawn by a process that lowers its own claim to the processor.
    const picture = sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal' } });
    const bytes = new Uint8Array(await picture.png().toBuffer());
    const { key } = await uploadFile(creator, { name: 'photo.png', bytes });
    const photo = await createLink(creator, { key, preview: 'blurred' });
    const SEE = 'query ($id: ID!) { getPaywallLink(id: $id) { previewFile { url } } }';
    const headers = await publishableKey(creator);
    await eventually(async () => {
      const seen = await graphql<{ getPaywallLink: unknown }>(creator, SEE, photo, headers);
      expect(seen.getPaywallLink).toMatchObject({ previewFile: { url: expect.any(String) } });
    });

    const sold = await sellFile(creator, { size: 16 * 1024 ** 2 });
    const buyer = createPerson({ origin });
    await payFor(buyer, sold.id);
    await waitUntilUnlocked(buyer, sold.id);
    const path = await storageUrl(buyer, sold.key ?? '');
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get(path, { agent: false, family: 4 }, resolve).on('error', reject);
    });
    const main = 'systemctl show --property=MainPID padlink';
    const first = run(main);
    run('systemctl restart --no-block padlink');
    expect(hash(Buffer.concat(await answer.toArray()))).toBe(hash(sold.bytes));
    await eventually(() => expect(run(main)).not.toBe(first));
    await ready();
    expect(hash(await (await fetch(path)).bytes())).toBe(hash(sold.bytes));
    run('systemctl stop padlink');
    expect(run('systemctl show --property=Result --property=ExecMainStatus padlink')).toBe(
      'Result=success\nExecMainStatus=0\n',
    );
  });
}
