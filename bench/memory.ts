import { setTimeout as sleep } from 'node:timers/promises';
import { residentMemory } from '../tests/harness/resident-memory.ts';
import { openFolder } from './open-folder.ts';
import { describeMachine } from './report.ts';
import { startPadlink } from './start-padlink.ts';

const MEBIBYTE = 1024 * 1024;
const TARGET_MEBIBYTES = 140;
/** Milliseconds, until what the start took is given back. */
const SETTLED_MS = 10_000;

/** What Padlink takes of the machine's memory while nobody asks it, as a part of the page. */
export async function reportMemory(): Promise<string> {
  using folder = openFolder();
  await startAndStop(folder.path);
  await using padlink = await startPadlink(folder.path);
  await fetch(padlink.origin);
  await sleep(SETTLED_MS);
  const taken = Math.round(residentMemory(padlink.pid) / MEBIBYTE);
  const verdict = taken <= TARGET_MEBIBYTES ? 'met' : 'missed';
  return `## Memory when idle

Resident memory ${SETTLED_MS / 1000} seconds after the second start and a first page: ${taken} MiB; target at most ${TARGET_MEBIBYTES} MiB, ${verdict}.

${describeMachine()}
`;
}

/** The first start after an upgrade compiles everything, which takes some 15 MiB more. */
async function startAndStop(dataDir: string): Promise<void> {
  await using _ = await startPadlink(dataDir);
}
