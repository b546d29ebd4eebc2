import { publishableKey } from '../../tests/factories/factories.ts';
import { SERVICE_KEY } from '../../tests/factories/secret-key.ts';
import { compare } from '../compare.ts';
import { openFolder } from '../open-folder.ts';
import type { Row } from '../row.ts';
import { openShop } from '../seed-links.ts';
import { type Request, sendRequests } from '../send-requests.ts';
import { startBareServer } from '../start-bare-server.ts';
import { startPadlink } from '../start-padlink.ts';

const ONE = 'query ($id: ID!) { getPaywallLink(id: $id) { id price title } }';
const FIFTY = 'query { listPaywallLinks(limit: 50) { items { id price title } nextToken } }';
const CREATE =
  'mutation ($input: CreatePaywallLinkInput!) { createPaywallLink(input: $input) { id } }';

/** Links read one by one, in lists, and created, beside a small JSON answer to the same requests. */
export async function graphql(): Promise<Row[]> {
  using folder = openFolder();
  await using padlink = await startPadlink(folder.path, { SERVICE_KEY });
  await using bare = await startBareServer(0);
  const { ids, ownerId } = await openShop(padlink, folder.path);
  const asReader = await publishableKey(padlink);
  // A creator may create 120 links a minute.
  const asOperator = { 'x-api-key': SERVICE_KEY };

  const ask = (key: object, query: string, variables = {}): Request => ({
    path: '/graphql',
    method: 'POST',
    headers: { ...key, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const measure = async (name: string, target: number, requests: Request[]): Promise<Row> => {
    const toBare = requests.map((request) => ({ ...request, path: '/json' }));
    return {
      name,
      target,
      unit: 'requests/s',
      against: 'node:http, small JSON',
      ...(await compare(
        { pid: padlink.pid, work: () => sendRequests(padlink.origin, requests) },
        { pid: bare.pid, work: () => sendRequests(bare.origin, toBare) },
      )),
    };
  };
  const links = { type: 'link', url: 'https://example.com/', price: 300, owner: ownerId };
  return [
    await measure(
      'GraphQL get by id',
      0.4,
      ids.map((id) => ask(asReader, ONE, { id })),
    ),
    await measure('GraphQL list of 50', 0.15, [ask(asReader, FIFTY)]),
    await measure('GraphQL create a link', 0.1, [
      ask(asOperator, CREATE, { input: { ...links, title: 'Lecture notes' } }),
    ]),
  ];
}
