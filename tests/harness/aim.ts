import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createDataFolder } from './run-folder.ts';

/** A call of the product's, and what happens to it. */
export interface Aim {
  /**
   * Of a file, `write`, `read`, `sync file` or `sync folder`; of the database, `insert` or `update`
   * and the table; of S3, `put part`, `complete` and so on (tests/harness/aimed-faults.ts).
   */
  call: string;
  /** From 1, counted from the moment of the aim. */
  nth: number;
  /**
   * `kill -9` at that call, halfway through it, or before anybody hears of its result; or it and
   * all that follow fail as on a broken disk.
   */
  moment: 'before' | 'during' | 'after' | 'fails';
  /** What the system says where it fails, such as EINVAL; EIO by default. */
  code?: string;
}

/** Aims at calls of a product that is a process of its own and was started with `env`. */
export function createAim() {
  const place = join(createDataFolder(), 'aim');
  const hits = `${place}.hit`;
  for (const file of [place, hits]) writeFileSync(file, '');
  const script = pathToFileURL(join(import.meta.dirname, 'aimed-faults.ts'));
  return {
    env: { NODE_OPTIONS: `--import=${script}`, PADLINK_TEST_AIM: place },
    /** Until it is taken away: null. */
    take(aim: Aim | null) {
      writeFileSync(place, aim ? JSON.stringify(aim) : '');
    },
    /** All that killed the product, in order. */
    hits: () =>
      readFileSync(hits, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Aim),
  };
}
