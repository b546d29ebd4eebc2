import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { percentile } from '../soak/honest.ts';
import { publishableKey } from '../tests/factories/factories.ts';
import { SERVICE_KEY } from '../tests/factories/secret-key.ts';
import { type Answer, type Asked, ask } from './ask.ts';
import { openFolder } from './open-folder.ts';
import { describeMachine } from './report.ts';
import { openShop } from './seed-links.ts';
import { startBareServer } from './start-bare-server.ts';
import { startPadlink } from './start-padlink.ts';

const TARGETS_MS = { median: 1, ninth: 5 };
const SECONDS = 20;
/** In which the yardstick is asked, in milliseconds. */
const BARE_MS = 5_000;
const WRITERS = 8;
const READERS = 4;
/** Between two reads of a reader, in milliseconds. */
const PAUSE_MS = 10;

const ONE = 'query ($id: ID!) { getPaywallLink(id: $id) { id price title } }';
const CREATE =
  'mutation ($input: CreatePaywallLinkInput!) { createPaywallLink(input: $input) { id } }';

/** How long reads take while others write and the disk is slow, as a part of the page. */
export async function reportWrites(): Promise<string> {
  using folder = openFolder();
  await using padlink = await startPadlink(folder.path, {
    SERVICE_KEY,
    NODE_OPTIONS: `--import ${import.meta.resolve('./slow-disk.mjs')}`,
  });
  const { ids, ownerId } = await openShop(padlink, folder.path);
  const key = await publishableKey(padlink);
  const query = (headers: object, text: string, variables: object) => ({
    method: 'POST' as const,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query: text, variables }),
  });
  const url = `${padlink.origin}/graphql`;
  const input = { type: 'link', url: 'https://example.com/', price: 300, owner: ownerId };
  const writing = autocannon({
    url,
    connections: WRITERS,
    duration: SECONDS,
    workers: 1,
    ...query({ 'x-api-key': SERVICE_KEY }, CREATE, { input }),
  });
  let isOver = false;
  const reading = readBeside(
    () => isOver,
    (turn) => ask(url, query(key, ONE, { id: ids[turn % ids.length] })),
  );
  const { '2xx': created, non2xx } = await writing;
  isOver = true;
  const waits = await reading;
  if (non2xx > 0) throw new Error(`${non2xx} links were not created.`);
  const [median, ninth] = [percentile(waits, 50), percentile(waits, 90)];
  const bare = await readBare(query(key, ONE, { id: ids[0] }));
  const isMet = median <= TARGETS_MS.median && ninth <= TARGETS_MS.ninth;
  return `## Reads beside writes

With every flush of SQLite's log delayed by 5 ms, as on a slow disk, ${WRITERS} connections create links as fast as they are let: ${Math.round(created / SECONDS)} a second. A read by id beside them takes ${median.toFixed(1)} ms at the median and ${ninth.toFixed(1)} ms in nine of ten cases; target at most ${TARGETS_MS.median} and ${TARGETS_MS.ninth} ms, ${isMet ? 'met' : 'missed'}. A small JSON answer of a bare node:http server, asked as seldom and with nothing beside it, takes ${bare.toFixed(1)} ms at the median: mostly what this machine needs to wake up.

${describeMachine()}
`;
}

/** How long each answer took, in milliseconds, of some who ask again and again until it is over. */
async function readBeside(
  isOver: () => boolean,
  read: (turn: number) => Promise<Answer>,
): Promise<number[]> {
  const waits: number[] = [];
  const readOn = async (_: unknown, reader: number) => {
    for (let turn = reader; !isOver(); turn += READERS) {
      const begun = performance.now();
      const { status } = await read(turn);
      waits.push(performance.now() - begun);
      if (status !== 200) throw new Error(`A read answered ${status}.`);
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: READERS }, readOn));
  return waits;
}

async function readBare(asked: Asked): Promise<number> {
  await using bare = await startBareServer(1);
  const until = performance.now() + BARE_MS;
  const waits = await readBeside(
    () => performance.now() > until,
    () => ask(`${bare.origin}/json`, asked),
  );
  return percentile(waits, 50);
}
