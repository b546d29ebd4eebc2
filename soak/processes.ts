import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Orders, Statuses } from './hostile.ts';

/** Hostile clients that attack while something else is done, and rest between. */
interface Attack {
  during(work: () => Promise<unknown>): Promise<void>;
  end(): Promise<Statuses>;
}

export function startAttack(orders: Orders): Attack {
  const attackers = startProcess('hostile.ts');
  attackers.send(orders);
  attackers.kill('SIGSTOP');
  return {
    async during(work) {
      attackers.kill('SIGCONT');
      await work();
      attackers.kill('SIGSTOP');
    },
    async end() {
      attackers.kill('SIGCONT');
      attackers.send('end');
      const [statuses] = await once(attackers, 'message');
      attackers.kill('SIGKILL');
      return statuses;
    },
  };
}

export async function startBareServer(): Promise<{ origin: string; end(): void }> {
  const bare = startProcess('bare.ts');
  const [port] = await once(bare, 'message');
  return { origin: `http://localhost:${port}`, end: () => bare.kill('SIGKILL') };
}

/** Does not outlive this process. */
function startProcess(file: string): ChildProcess {
  const child = fork(join(import.meta.dirname, file));
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}
