import type { TadaDocumentNode } from 'gql.tada';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { sourceOf } from './graphql.ts';
import { RequestError, readRefusal } from './request-error.ts';

interface GraphQLAnswer<Data> {
  data?: Data | null;
  errors?: { message: string; extensions?: { code?: string } }[];
}

/**
 * Runs a document with the session, or with the publishable key where there is none.
 * Throws RequestError when the server refuses any part of it.
 */
export async function requestGraphql<Data, Variables>(
  config: RuntimeConfig,
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const response = await fetch(config.graphqlEndpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': config.apiKey },
    body: JSON.stringify({ query: sourceOf(document), variables }),
  });
  if (response.status === 429) throw await readRefusal(response);
  const answer: GraphQLAnswer<Data> = await response.json();
  const error = answer.errors?.[0];
  if (error) throw new RequestError(response.status, error.extensions?.code ?? '', error.message);
  if (!answer.data) throw await readRefusal(response);
  return answer.data;
}
