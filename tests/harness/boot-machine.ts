import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { whileAlive } from './eventually.ts';
import { createDataFolder } from './run-folder.ts';

interface Machine {
  /** What it begins with; this machine's files by default. */
  files?: string;
  /** Folders of this machine, by where it has them, without the first slash. */
  mounts: Record<string, string>;
}

/**
 * A machine that systemd boots, with processes, mounts and a name of its own, and this one's network:
 * what it writes goes with it.
 * @returns runs a command on it to its end, and answers what it printed
 */
export async function bootMachine({
  files = '/',
  mounts,
}: Machine): Promise<(command: string) => Promise<string>> {
  const binds = Object.keys(mounts).map(
    (at, index) => `mkdir -p ${at} && mount --bind "$${index + 2}" ${at}`,
  );
  const boot = `
    mount --make-rprivate / && mount -t tmpfs none "$0"
    cd "$0" && mkdir upper work root
    mount -t overlay none -o "lowerdir=$1,upperdir=upper,workdir=work" root && cd root
    mkdir -p left
    ${binds.join('\n')}
    mount -t proc none proc && mount --rbind /dev dev && mount -t sysfs none sys
    for own in dev/shm run tmp sys/fs/cgroup; do mount -t tmpfs none $own; done
    mkdir sys/fs/cgroup/unified sys/fs/cgroup/systemd
    mount -t cgroup2 none sys/fs/cgroup/unified
    mount -t cgroup -o none,name=systemd none sys/fs/cgroup/systemd
    pivot_root . left && umount -l left
    exec env -i container=test /lib/systemd/systemd --system --unit=basic.target`;
  const spaces = ['--mount', '--pid', '--uts', '--ipc', '--cgroup'];
  const how = [...spaces, '--fork', '--kill-child', 'sh', '-ec', boot, createDataFolder(), files];
  const machine = spawn('unshare', [...how, ...Object.values(mounts)], {
    stdio: ['ignore', 'ignore', 2],
  });
  const ended = once(machine, 'exit');
  onTestFinished(async () => {
    machine.kill('SIGKILL');
    await ended;
  });
  const children = `/proc/${machine.pid}/task/${machine.pid}/children`;
  const run = async (command: string) => {
    const first = readFileSync(children, 'utf8').trim();
    const within = ['--target', first, ...spaces, 'sh', '-ec', command];
    return (await promisify(execFile)('nsenter', within)).stdout;
  };
  await whileAlive(machine, () => run('systemctl is-active --quiet basic.target'));
  return run;
}
