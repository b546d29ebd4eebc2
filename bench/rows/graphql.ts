import { createLink, publishableKey, signUp } from '../../tests/factories.ts';
import { compare } from '../compare.ts';
import { openFolder } from '../open-folder.ts';
import type { Row } from '../row.ts';
import { sendRequests } from '../send-requests.ts';
import { startBareServer } from '../start-bare-server.ts';
import { startPadlink } from '../start-padlink.ts';

const LINKS = 60;

/** getPaywallLink and a list of 50, beside a small JSON answer to the same request. */
export async function graphql(): Promise<Row[]> {
  using folder = openFolder();
  await using padlink = await startPadlink(folder.path);
  await using bare = await startBareServer(0);
  const seller = await signUp(padlink);
  const links = [];
  for (let number = 0; number < LINKS; number++) {
    const url = `https://example.com/${number}`;
    links.push(await createLink(seller, { type: 'link', url, title: `Link ${number}` }));
  }
  const headers = { ...(await publishableKey(padlink)), 'content-type': 'application/json' };

  const measure = (query: string, variables: object) => {
    const body = JSON.stringify({ query, variables });
    const request = { method: 'POST', headers, body } as const;
    return compare(
      {
        pid: padlink.pid,
        work: () => sendRequests({ ...request, url: `${padlink.origin}/graphql` }),
      },
      { pid: bare.pid, work: () => sendRequests({ ...request, url: `${bare.origin}/json` }) },
    );
  };
  const one = 'query ($id: ID!) { getPaywallLink(id: $id) { id price title } }';
  const fifty = 'query { listPaywallLinks(limit: 50) { items { id price title } nextToken } }';
  const rest = { unit: 'requests/s', against: 'node:http, small JSON' } as const;
  return [
    {
      name: 'GraphQL get by id',
      ...rest,
      target: 0.2,
      ...(await measure(one, { id: links[0]?.id })),
    },
    { name: 'GraphQL list of 50', ...rest, target: 0.06, ...(await measure(fifty, {})) },
  ];
}
