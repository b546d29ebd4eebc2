import { createLink, publishableKey, signUp } from '../../tests/factories.ts';
import { compareRequests } from '../measure-requests.ts';
import type { Row } from '../row.ts';
import { startBareServer, startSubject } from '../subject.ts';

const LINKS = 60;

/** getPaywallLink and a list of 50, beside a small JSON answer to the same request body. */
export async function graphql(): Promise<Row[]> {
  const subject = await startSubject();
  const bare = await startBareServer(0);
  try {
    const seller = await signUp(subject);
    const ids: string[] = [];
    for (let number = 0; number < LINKS; number += 1) {
      const url = `https://example.com/${number}`;
      ids.push((await createLink(seller, { type: 'link', url, title: `Link ${number}` })).id);
    }
    const headers = { ...(await publishableKey(subject)), 'content-type': 'application/json' };
    const compare = (query: string, variables: object) => {
      const request = {
        method: 'POST',
        headers,
        body: JSON.stringify({ query, variables }),
      } as const;
      return compareRequests(
        { url: `${subject.origin}/graphql`, ...request },
        { url: `${bare.origin}/json`, ...request },
      );
    };
    const byId = await compare('query ($id: ID!) { getPaywallLink(id: $id) { id price title } }', {
      id: ids[0],
    });
    const list = await compare(
      'query { listPaywallLinks(limit: 50) { items { id price title } nextToken } }',
      {},
    );
    const rest = { unit: 'requests/s', against: 'node:http, small JSON' } as const;
    return [
      { name: 'GraphQL get by id', ...byId, ...rest, target: 0.2 },
      { name: 'GraphQL list of 50', ...list, ...rest, target: 0.06 },
    ];
  } finally {
    await bare.stop();
    await subject.stop();
  }
}
