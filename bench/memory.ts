import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../soak/honest.ts';
import { residentMemory } from '../tests/harness/resident-memory.ts';
import { openFolder } from './open-folder.ts';
import { describeMachine } from './report.ts';
import { startPadlink } from './start-padlink.ts';

const MEBIBYTE = 1024 * 1024;
const TARGET_MEBIBYTES = 140;
/** Milliseconds, until what the start took is given back. */
const SETTLED_MS = 10_000;
/** From one to the next it differs by some MiB. */
const STARTS = 5;

/** What Padlink takes of the machine's memory while nobody asks it, as a part of the page. */
export async function reportMemory(): Promise<string> {
  using folder = openFolder();
  await startAndStop(folder.path);
  const starts = [];
  for (let start = 0; start < STARTS; start += 1) starts.push(await measureStart(folder.path));
  const taken = Math.round(percentile(starts, 50));
  const verdict = taken <= TARGET_MEBIBYTES ? 'met' : 'missed';
  return `## Memory when idle

Resident memory ${SETTLED_MS / 1000} seconds after a start and a first page, the median of ${STARTS} starts: ${taken} MiB; target at most ${TARGET_MEBIBYTES} MiB, ${verdict}.

${describeMachine()}
`;
}

/** @returns MiB */
async function measureStart(dataDir: string): Promise<number> {
  await using padlink = await startPadlink(dataDir);
  await fetch(padlink.origin);
  await sleep(SETTLED_MS);
  return residentMemory(padlink.pid) / MEBIBYTE;
}

/** The first start after an upgrade compiles everything, which takes some 15 MiB more. */
async function startAndStop(dataDir: string): Promise<void> {
  await using _ = await startPadlink(dataDir);
}
