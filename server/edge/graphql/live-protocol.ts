import { type ExecutionArgs, GraphQLError, parse } from 'graphql';
import {
  type Context,
  MessageType,
  makeServer,
  type Server,
  type SubscribePayload,
  stringifyMessage,
} from 'graphql-ws';
import type { WebSocket } from 'ws';
import { LIVE_TIMINGS } from '../../../contract/live-timings.ts';
import { readOnce } from '../../ground/lib/batch-reads.ts';
import type { Asking } from '../../ground/lib/viewer.ts';
import type { GraphqlContext, SchemaContext } from './builder.ts';
import { formatErrors } from './format-errors.ts';
import {
  createValidation,
  isTooLarge,
  MAX_ERRORS,
  refuseTokenFlood,
  refuseVariableFlood,
  tooLarge,
} from './limits.ts';

/** A page needs at most five. */
const MAX_SUBSCRIPTIONS = 5;
/** A classroom of dashboards shares one address. */
const MAX_SUBSCRIPTIONS_OF_ADDRESS = 200;

export interface Extra extends Record<PropertyKey, unknown> {
  socket: WebSocket;
  address: string;
  /** The upgrade, as far as it says who asks. */
  asking: Asking;
}

type SocketContext = Context<Record<string, unknown>, Extra>;

/** What is said over a socket: graphql-transport-ws, with an acknowledgement of each start. */
export function createProtocol(
  { schema, shared, findViewer, introspection }: SchemaContext,
  logUnexpected: (error: unknown) => void,
): Server<Extra> {
  const validate = createValidation(schema, 'socket', introspection);
  const viewerOf = (context: SocketContext) => findViewer(askingOf(context));
  const open = new Map<string, Set<SocketContext>>();
  const format = (errors: readonly GraphQLError[]) =>
    formatErrors(errors, logUnexpected).slice(0, MAX_ERRORS);

  async function onSubscribe(
    context: SocketContext,
    payload: SubscribePayload,
  ): Promise<ExecutionArgs | readonly GraphQLError[]> {
    if (countSubscriptions([context]) > MAX_SUBSCRIPTIONS) {
      const message = `A connection can have at most ${MAX_SUBSCRIPTIONS} subscriptions.`;
      return [new GraphQLError(message)];
    }
    if (countSubscriptions(open.get(context.extra.address)) > MAX_SUBSCRIPTIONS_OF_ADDRESS) {
      const message = `An address can have at most ${MAX_SUBSCRIPTIONS_OF_ADDRESS} subscriptions.`;
      return [new GraphQLError(message)];
    }
    const prepared = prepare(payload);
    if (!('document' in prepared)) return prepared;
    const credentials = `viewer of ${JSON.stringify(askingOf(context))}`;
    const contextValue: GraphqlContext = {
      ...shared,
      viewer: await viewerOf(context),
      address: context.extra.address,
      isPage: false,
      findViewer: (change) => readOnce(change, credentials, () => viewerOf(context)),
    };
    return { ...prepared, contextValue };
  }

  /** What is to run, or why it is refused. */
  function prepare({
    query,
    variables,
    operationName,
  }: SubscribePayload): ExecutionArgs | readonly GraphQLError[] {
    try {
      refuseTokenFlood(query);
      refuseVariableFlood(variables);
      const document = parse(query);
      const errors = validate(document);
      if (errors.length > 0) return errors;
      return { schema, document, variableValues: variables, operationName };
    } catch (error) {
      if (error instanceof GraphQLError) return [error];
      throw error;
    }
  }

  return makeServer<Record<string, unknown>, Extra>({
    connectionInitWaitTimeout: LIVE_TIMINGS.connectionAckMs,
    async onConnect(context) {
      const { authority } = await viewerOf(context);
      if (authority === 'none') return false;
      const { address } = context.extra;
      open.set(address, (open.get(address) ?? new Set()).add(context));
      return { connectionTimeoutMs: LIVE_TIMINGS.connectionTimeoutMs };
    },
    onClose(context) {
      const { address } = context.extra;
      open.get(address)?.delete(context);
      if (open.get(address)?.size === 0) open.delete(address);
    },
    onSubscribe: (context, _id, payload) => onSubscribe(context, payload),
    onOperation(context, id, _payload, _args, result) {
      if (!(Symbol.asyncIterator in result)) return;
      const payload = { type: 'start_ack', id };
      context.extra.socket.send(stringifyMessage({ type: MessageType.Ping, payload }));
    },
    onNext(_context, _id, _payload, _args, result) {
      if (isTooLarge(result.data)) return { data: null, errors: format([tooLarge()]) };
      return result.errors && { ...result, errors: format(result.errors) };
    },
    onError: (_context, _id, _payload, errors) => format(errors),
  });
}

function countSubscriptions(sockets: Iterable<SocketContext> = []): number {
  let count = 0;
  for (const { subscriptions } of sockets) count += Object.keys(subscriptions).length;
  return count;
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
