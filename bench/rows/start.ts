import { compare } from '../compare.ts';
import { openFolder } from '../open-folder.ts';
import type { Row } from '../row.ts';
import { startBareServer } from '../start-bare-server.ts';
import { startPadlink } from '../start-padlink.ts';
import type { Server } from '../start-process.ts';

const STARTS_PER_ROUND = 3;

/** How soon after its start a server answers: every deployment, command and crash waits for it. */
export async function start(): Promise<Row[]> {
  using folder = openFolder();
  const startsOf = (begin: () => Promise<Server>) => ({
    pid: null,
    async work() {
      for (let count = 0; count < STARTS_PER_ROUND; count++) {
        await using _ = await begin();
      }
      return STARTS_PER_ROUND;
    },
  });
  const compared = await compare(
    startsOf(() => startPadlink(folder.path)),
    startsOf(() => startBareServer(0)),
  );
  return [
    {
      name: 'Start, to the first answer',
      unit: 'starts/s',
      against: 'node:http',
      target: 0.1,
      ...compared,
    },
  ];
}
