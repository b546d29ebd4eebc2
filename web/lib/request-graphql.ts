import type { TadaDocumentNode } from 'gql.tada';
import type { Fact } from '../../contract/fact.ts';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { sourceOf } from './graphql.ts';
import { RequestError, readRefusal, SOMETHING_WRONG } from './request-error.ts';
import { isSignedOut } from './sign-in-again.ts';

interface GraphQLAnswer<Data> {
  data?: Data | null;
  errors?: GraphQLFailure[];
}

interface GraphQLFailure {
  message: string;
  path?: (string | number)[];
  extensions?: { code?: string; fact?: Fact };
}

/**
 * Runs a document with the session, or with the publishable key where there is none.
 * Throws RequestError when the server refuses any part of it.
 */
export async function requestGraphql<Data, Variables>(
  config: RuntimeConfig,
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Data> {
  const { response, answer } = await ask(config, document, variables, signal);
  const error = answer.errors?.[0];
  if (error) throw toRequestError(response, error);
  if (!answer.data) throw nothing(response);
  return answer.data;
}

/**
 * The same, with whatever could be loaded, and the names of the fields that failed. Throws
 * RequestError when nothing could, or when the session has ended.
 */
export async function requestPartly<Data, Variables>(
  config: RuntimeConfig,
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<{ data: Data; failed: Set<string> }> {
  const { response, answer } = await ask(config, document, variables);
  const failures = (answer.errors ?? []).map((error) => ({
    field: String(error.path?.[0]),
    error: toRequestError(response, error),
  }));
  const signedOut = failures.find(({ error }) => isSignedOut(error));
  if (signedOut) throw signedOut.error;
  if (!answer.data) throw nothing(response);
  for (const { error } of failures) console.error(error);
  return { data: answer.data, failed: new Set(failures.map(({ field }) => field)) };
}

function toRequestError({ status }: Response, { message, extensions }: GraphQLFailure) {
  return new RequestError(status, extensions?.code ?? '', extensions?.fact ?? message);
}

function nothing({ status }: Response): RequestError {
  return new RequestError(status, '', SOMETHING_WRONG);
}

async function ask<Data, Variables>(
  config: RuntimeConfig,
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<{ response: Response; answer: GraphQLAnswer<Data> }> {
  const response = await fetch(config.graphqlEndpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': config.apiKey },
    body: JSON.stringify({ query: sourceOf(document), variables }),
    signal: signal ?? null,
  });
  // Whatever comes before the data layer, such as rate limits, answers in another format.
  const answers = response.headers.get('content-type')?.startsWith('application/json');
  if (!answers) throw await readRefusal(response);
  return { response, answer: await response.json() };
}
