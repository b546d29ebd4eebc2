import { createLink, signUp, uploadFile } from '../../tests/factories.ts';
import { compare } from '../compare.ts';
import { openFolder } from '../open-folder.ts';
import type { Row } from '../row.ts';
import { sendRequests } from '../send-requests.ts';
import { startBareServer } from '../start-bare-server.ts';
import { startPadlink } from '../start-padlink.ts';

/** /p/:id as an anonymous visitor gets it, kept and rendered afresh, beside an equal buffer. */
export async function html(): Promise<Row[]> {
  using folder = openFolder();
  await using padlink = await startPadlink(folder.path);
  const seller = await signUp(padlink);
  const { key } = await uploadFile(seller, { name: 'notes.pdf', bytes: new Uint8Array(5_000) });
  const { id } = await createLink(seller, { key, title: 'Lecture notes' });
  const url = `${padlink.origin}/p/${id}`;
  const { length } = await (await fetch(url)).bytes();
  await using bare = await startBareServer(length);

  const yardstick = {
    pid: bare.pid,
    work: () => sendRequests({ url: `${bare.origin}/html` }),
  };
  const measure = (asked: string) =>
    compare({ pid: padlink.pid, work: () => sendRequests({ url: asked }) }, yardstick);
  const rest = { unit: 'requests/s', against: `node:http, ${length} bytes` } as const;
  return [
    { name: 'HTML of /p/:id, anonymous', ...rest, target: 0.5, ...(await measure(url)) },
    // A query string makes the page one of its own, rendered for this request alone.
    { name: 'HTML of /p/:id, rendered', ...rest, target: 0.15, ...(await measure(`${url}?fresh`)) },
  ];
}
