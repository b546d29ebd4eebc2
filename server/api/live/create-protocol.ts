import { type ExecutionArgs, GraphQLError, type ValidationRule } from 'graphql';
import { type Context, MessageType, makeServer, type Server, stringifyMessage } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { LIVE_TIMINGS } from '../../../contract/live-timings.ts';
import type { Asking, FindViewer } from '../find-viewer.ts';
import type { GraphqlContext, GraphqlServices } from '../graphql/builder.ts';
import { formatErrors } from '../graphql/format-errors.ts';
import { prepareSubscription } from './prepare-subscription.ts';

const INIT_WAIT_MS = 10_000;
const MAX_SUBSCRIPTIONS = 20;

export interface Extra extends Record<PropertyKey, unknown> {
  socket: WebSocket;
  /** The upgrade, as far as it says who asks. */
  asking: Asking;
}

interface Deps {
  services: GraphqlServices;
  findViewer: FindViewer;
  rules: ValidationRule[];
  logUnexpected(error: unknown): void;
}

type SocketContext = Context<Record<string, unknown>, Extra>;

/** What is said over a socket: graphql-transport-ws, with an acknowledgement of each start. */
export function createProtocol({
  services,
  findViewer,
  rules,
  logUnexpected,
}: Deps): Server<Extra> {
  const viewerOf = (context: SocketContext) => findViewer(askingOf(context));
  const format = (errors: readonly GraphQLError[]) => formatErrors(errors, logUnexpected);

  async function onSubscribe(
    context: SocketContext,
    payload: Parameters<typeof prepareSubscription>[0],
  ): Promise<ExecutionArgs | readonly GraphQLError[]> {
    if (Object.keys(context.subscriptions).length > MAX_SUBSCRIPTIONS) {
      const message = `A socket holds ${MAX_SUBSCRIPTIONS} subscriptions at the most.`;
      return [new GraphQLError(message)];
    }
    const prepared = prepareSubscription(payload, rules);
    if (!('document' in prepared)) return prepared;
    const contextValue: GraphqlContext = {
      ...services,
      viewer: await viewerOf(context),
      address: null,
      findViewer: () => viewerOf(context),
    };
    return { ...prepared, contextValue };
  }

  return makeServer<Record<string, unknown>, Extra>({
    connectionInitWaitTimeout: INIT_WAIT_MS,
    async onConnect(context) {
      const { authority } = await viewerOf(context);
      if (authority === 'none') return false;
      return { connectionTimeoutMs: LIVE_TIMINGS.connectionTimeoutMs };
    },
    onSubscribe: (context, _id, payload) => onSubscribe(context, payload),
    onOperation(context, id, _payload, _args, result) {
      if (!(Symbol.asyncIterator in result)) return;
      const payload = { type: 'start_ack', id };
      context.extra.socket.send(stringifyMessage({ type: MessageType.Ping, payload }));
    },
    onNext: (_context, _id, _payload, _args, result) =>
      result.errors && { ...result, errors: format(result.errors) },
    onError: (_context, _id, _payload, errors) => format(errors),
  });
}

/** Keys travel in `connection_init`: a browser cannot put headers on a WebSocket. */
function askingOf({ connectionParams = {}, extra }: SocketContext): Asking {
  const { headers, cookies } = extra.asking;
  return { cookies, headers: { cookie: headers.cookie, ...keysOf(connectionParams) } };
}

function keysOf(params: Record<string, unknown>): Record<string, string> {
  const names = ['authorization', 'x-api-key'].filter((name) => params[name] != null);
  return Object.fromEntries(names.map((name) => [name, String(params[name])]));
}
