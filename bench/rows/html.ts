import { compare } from '../compare.ts';
import { openFolder } from '../open-folder.ts';
import type { Row } from '../row.ts';
import { openShop, POPULAR } from '../seed-links.ts';
import { sendRequests } from '../send-requests.ts';
import { startBareServer } from '../start-bare-server.ts';
import { startPadlink } from '../start-padlink.ts';

/** /p/:id as an anonymous visitor gets it, kept and rendered afresh, beside as many equal buffers. */
export async function html(): Promise<Row[]> {
  using folder = openFolder();
  await using padlink = await startPadlink(folder.path);
  const { ids } = await openShop(padlink, folder.path);
  const { length } = await (await fetch(`${padlink.origin}/p/${ids[0]}`)).bytes();
  await using bare = await startBareServer(length);

  const measure = async (name: string, target: number, paths: string[]): Promise<Row> => ({
    name,
    target,
    unit: 'requests/s',
    against: `node:http, ${length} bytes`,
    ...(await compare(
      {
        pid: padlink.pid,
        work: () =>
          sendRequests(
            padlink.origin,
            paths.map((path) => ({ path })),
          ),
      },
      { pid: bare.pid, work: () => sendRequests(bare.origin, [{ path: '/html' }]) },
    )),
  });
  const kept = ids.slice(0, POPULAR).map((id) => `/p/${id}`);
  // What the page reads of its address makes it one of its own, rendered for this request alone.
  const rendered = ids.map((id) => `/p/${id}?pressed`);
  return [
    await measure('HTML of /p/:id, anonymous', 0.8, kept),
    await measure('HTML of /p/:id, rendered', 0.18, rendered),
  ];
}
