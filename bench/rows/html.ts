import { compare } from '../compare.ts';
import { openFolder } from '../open-folder.ts';
import type { Row } from '../row.ts';
import { openShop, POPULAR } from '../seed-links.ts';
import { sendRequests } from '../send-requests.ts';
import { startBareServer } from '../start-bare-server.ts';
import { startPadlink } from '../start-padlink.ts';

/** /p/:id as an anonymous visitor gets it, kept, beside as many equal buffers. */
export async function html(): Promise<Row[]> {
  using folder = openFolder();
  await using padlink = await startPadlink(folder.path);
  const { ids } = await openShop(padlink, folder.path);
  const { length } = await (await fetch(`${padlink.origin}/p/${ids[0]}`)).bytes();
  await using bare = await startBareServer(length);

  // At as many addresses: the client spends time on each.
  const kept = ids.slice(0, POPULAR).map((id) => ({ path: `/p/${id}` }));
  return [
    {
      name: 'HTML of /p/:id, anonymous',
      target: 0.85,
      unit: 'requests/s',
      against: `node:http, ${length} bytes`,
      ...(await compare(
        { pid: padlink.pid, work: () => sendRequests(padlink.origin, kept) },
        { pid: bare.pid, work: () => sendRequests(bare.origin, kept) },
      )),
    },
  ];
}
