import type { FastifyInstance, FastifyReply, onRequestHookHandler } from 'fastify';
import {
  coerceInputValue,
  type DefinitionNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  isInputType,
  Kind,
  parse,
  typeFromAST,
} from 'graphql';
import { z } from 'zod';
import type { ErrorCode } from '../../../contract/error-codes.ts';
import type { Fact } from '../../../contract/fact.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { Viewer } from '../../ground/lib/viewer.ts';
import type { ApiCall } from '../http/describe-calls.ts';
import type { JsonAnswer, PlainPost } from '../http/early-answers.ts';
import { problem, retryAfterOf, sendProblem, toProblem } from '../http/errors.ts';
import { RateLimited } from '../http/rate-limits.ts';
import type { RunQuery } from '../pages/render-page.ts';
import type { GraphqlContext, SchemaContext, SharedContext } from './builder.ts';
import { createDocuments, type DocumentRequest, RequestRefused } from './documents.ts';
import { formatErrors, toReported } from './format-errors.ts';
import {
  createValidation,
  isTooLarge,
  MAX_ERRORS,
  refuseTokenFlood,
  refuseVariableFlood,
  tooLarge,
} from './limits.ts';

const PATH = '/graphql';
const MAX_BODY_BYTES = 64 * 1024;
/** Up to here it costs little that the engine writes all of a variable into each of its errors. */
const SMALL_BODY_BYTES = 4 * 1024;
const NOT_KEPT = { 'cache-control': 'no-store' };

/** One request each: no lists of them. */
const BODY = {
  type: 'object',
  properties: {
    query: { type: 'string' },
    operationName: { type: ['string', 'null'] },
    variables: { type: ['object', 'null'] },
    extensions: { type: 'object' },
  },
};

const CALL: ApiCall = {
  name: 'askGraphql',
  summary: 'Queries and mutations of the schema in contract/schema.graphql.',
  caller: 'viewer',
  answers: {
    200: {
      says: 'Data, or errors with a code in their extensions.',
      json: z.object({
        data: z.looseObject({}).nullish(),
        errors: z
          .array(
            z.object({
              message: z.string(),
              extensions: z.looseObject({ code: z.string() }).optional(),
            }),
          )
          .optional(),
      }),
    },
  },
};

/** What an answer depends on besides the body. */
interface Asked extends Pick<PlainPost, 'id' | 'ip' | 'headers'> {
  viewer(): Promise<Viewer>;
}

/** POST /graphql, and the same schema for the pages, in process. */
export function registerGraphql(
  app: FastifyInstance,
  { schema, shared, findViewer, introspection }: SchemaContext,
): RunQuery {
  const run = createDocuments(schema, createValidation(schema, 'post', introspection));

  app.get(PATH, { onRequest: jsonPostsOnly, config: { refuses: true } }, () => {});
  app.post<{ Body: Partial<DocumentRequest> }>(
    PATH,
    {
      onRequest: jsonPostsOnly,
      bodyLimit: MAX_BODY_BYTES,
      schema: { body: BODY },
      config: { api: CALL },
      errorHandler: (error, request, reply) => send(reply, refusal(error, request.id)),
    },
    async (request, reply) => send(reply, await answer(request.body, request)),
  );
  app.answerPosts(PATH, ({ id, headers, ip, body }) => {
    if (!isRequest(body)) return null;
    return () =>
      answer(body, { id, headers, ip, viewer: () => findViewer({ headers, cookies: {} }) });
  });

  /** Never rejects. */
  async function answer(body: Partial<DocumentRequest>, asked: Asked): Promise<JsonAnswer> {
    try {
      const { query, variables, operationName } = body;
      refuseVariableFlood(variables);
      if (!query) throw new GraphQLError('Unknown query');
      refuseTokenFlood(query);
      const isSmall = Number(asked.headers['content-length']) <= SMALL_BODY_BYTES;
      if (!isSmall) refuseVariableFaults(schema, query, variables);
      const viewer = await asked.viewer();
      const context = contextOf(shared, viewer, asked.ip, false);
      const result = await run({ query, variables, operationName }, context);
      return result.errors
        ? withErrors(result.errors, asked.id, result, viewer)
        : withinBounds({ status: 200, headers: {}, answer: result });
    } catch (error) {
      return refusal(error as Error, asked.id);
    }
  }

  function refusal(error: Error, id: string): JsonAnswer {
    return withErrors([toReported(error)], id);
  }

  function withErrors(
    errors: readonly GraphQLError[],
    id: string,
    { data = null }: ExecutionResult = {},
    viewer?: Viewer,
  ): JsonAnswer {
    const waits = errors.map(({ originalError }) => retryAfterOf(originalError));
    const wait = waits.findLast((seconds) => seconds !== undefined);
    const logFault = (error: unknown) =>
      app.log.error({ reqId: id, err: error }, 'a resolver failed');
    const formatted = formatErrors(errors, logFault, id).slice(0, MAX_ERRORS);
    return withinBounds({
      status: statusOf(errors, viewer),
      headers: wait === undefined ? {} : { 'retry-after': wait },
      answer: { data, errors: formatted },
    });
  }

  return async (query, variables, viewer, address) => {
    const context = contextOf(shared, viewer, address, true);
    const { data, errors = [] } = await run({ query, variables }, context);
    const logFault = (error: unknown) => app.log.error({ err: error }, 'a resolver failed');
    // As a client is told of them: with the code that the status of the page follows from.
    const failures = formatErrors(errors, logFault).map((error) => ({
      field: error.path?.[0]?.toString(),
      cause: toError(error),
    }));
    return { data: data ?? null, failures };
  };
}

function contextOf(
  shared: SharedContext,
  viewer: Viewer,
  address: string,
  isPage: boolean,
): GraphqlContext {
  const own = { viewer, address, isPage, findViewer: async () => viewer };
  return Object.assign(Object.create(shared), own);
}

/** As the schema of the route's body has it. */
function isRequest(body: unknown): body is DocumentRequest {
  if (typeof body !== 'object' || body === null) return false;
  const { query, operationName, variables, extensions = {} } = body as Record<string, unknown>;
  return (
    typeof query === 'string' &&
    typeof (operationName ?? '') === 'string' &&
    isRecord(variables ?? {}) &&
    isRecord(extensions)
  );
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withinBounds({
  answer,
  ...head
}: Omit<JsonAnswer, 'text'> & { answer: object }): JsonAnswer {
  const headers = { ...NOT_KEPT, ...head.headers };
  if (!isTooLarge(answer)) return { status: head.status, headers, text: JSON.stringify(answer) };
  const errors = formatErrors([tooLarge()], () => {});
  return { status: 400, headers, text: JSON.stringify({ data: null, errors }) };
}

function send(reply: FastifyReply, { status, headers, text }: JsonAnswer): FastifyReply {
  return reply.status(status).headers(headers).type('application/json; charset=utf-8').send(text);
}

/**
 * A link on another site can make a browser send a GET with its cookies, and a form there a post of
 * a form's types: nothing is asked by either.
 */
const jsonPostsOnly: onRequestHookHandler = (request, reply, done) => {
  reply.headers(NOT_KEPT);
  if (request.method !== 'POST') {
    reply.header('allow', 'POST');
    return refuse(405, 'Send GraphQL requests by POST.');
  }
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    return refuse(415, 'Send the query as application/json.');
  }
  done();

  function refuse(status: number, detail: string) {
    sendProblem(request, reply, problem('INVALID_INPUT', detail, status));
  }
};

/**
 * What a resolver refuses is an answer like any other, but for a caller without any key; a
 * refused request has its own status.
 */
function statusOf(errors: readonly GraphQLError[], viewer: Viewer | undefined): number {
  const refused = errors.find((error) => error.path === undefined);
  if (!refused) return viewer?.authority === 'none' ? 401 : 200;
  const cause = refused.originalError ?? refused;
  return cause instanceof GraphQLError ? 400 : toProblem(cause).status;
}

function toError({ message, extensions }: GraphQLFormattedError): Error {
  const { retryAfter, fact } = extensions as { retryAfter?: number; fact?: Fact };
  const said = fact ?? message;
  if (retryAfter !== undefined) return new RateLimited(retryAfter * 1_000, said);
  return new DomainError((extensions?.code as ErrorCode | undefined) ?? 'INTERNAL', said);
}

/**
 * Looks for faults in the variables before the engine does, which writes all of a variable into
 * each of the fifty errors that it may find there: ten milliseconds of work for 64 KiB.
 * @throws RequestRefused for the first ten
 */
function refuseVariableFaults(schema: GraphQLSchema, query: string, variables: unknown): void {
  if (typeof variables !== 'object' || variables === null) return;
  const errors: GraphQLError[] = [];
  const refuse = () => {
    throw new RequestRefused(errors);
  };
  for (const operation of definitionsOf(query)) {
    if (operation.kind !== Kind.OPERATION_DEFINITION) continue;
    for (const { variable, type: node } of operation.variableDefinitions ?? []) {
      const name = variable.name.value;
      const value = (variables as Record<string, unknown>)[name];
      const type = typeFromAST(schema, node as never);
      // What is missing, or null where it must not be, is told by the engine.
      if (value === undefined || value === null || !isInputType(type)) continue;
      coerceInputValue(value, type, (path, _value, { message }) => {
        const place = path.length > 0 ? ` at "${name}${writePath(path)}"` : '';
        const text = `Variable "$${name}" got invalid value${place}; ${message}`;
        errors.push(new GraphQLError(text, { nodes: variable }));
        if (errors.length === MAX_ERRORS) refuse();
      });
    }
  }
  if (errors.length > 0) refuse();
}

/** None of a text that is not GraphQL, which the engine says. */
function definitionsOf(query: string): readonly DefinitionNode[] {
  try {
    return parse(query).definitions;
  } catch {
    return [];
  }
}

/** `.and[0].price` */
function writePath(path: readonly (string | number)[]): string {
  return path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
}
