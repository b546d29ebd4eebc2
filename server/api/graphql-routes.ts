import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import {
  coerceInputValue,
  type DefinitionNode,
  GraphQLError,
  isInputType,
  Kind,
  parse,
  typeFromAST,
} from 'graphql';
import mercurius from 'mercurius';
import type { ErrorCode } from '../../contract/error-codes.ts';
import type { GraphqlContext, SharedContext } from '../graphql/builder.ts';
import { formatErrors } from '../graphql/format-errors.ts';
import {
  isTooLarge,
  MAX_ERRORS,
  refuseSyntaxTree,
  refuseTokenFlood,
  refuseVariableFlood,
  tooLarge,
  validationRules,
} from '../graphql/limits.ts';
import { problem, sendProblem, setRetryAfter, toProblem } from '../http/errors.ts';
import { RateLimited } from '../http/rate-limits.ts';
import { DomainError } from '../lib/domain-error.ts';
import type { Viewer } from '../lib/viewer.ts';
import type { RunQuery } from '../pages/render-page.ts';
import { schema } from './schema.ts';

const MAX_BODY_BYTES = 64 * 1024;
/** Up to here it costs little that the engine writes all of a variable into each of its errors. */
const SMALL_BODY_BYTES = 4 * 1024;
/** Executions after which a query is compiled: the engine forgets compiled code late. */
const COMPILE_AFTER = 100;
/** Of each kind, read and refused. One of the largest takes half a megabyte, compiled even more. */
const KEPT_QUERIES = 50;

interface Context {
  shared: SharedContext;
  /** Off in production. */
  introspection: boolean;
}

/** POST /graphql, and the same schema for the pages, in process. */
export async function registerGraphql(
  app: FastifyInstance,
  { shared, introspection }: Context,
): Promise<RunQuery> {
  app.addHook('onRequest', jsonPostsOnly);
  await app.register(mercurius, {
    schema,
    jit: COMPILE_AFTER,
    cache: KEPT_QUERIES,
    graphql: { validateOptions: { maxErrors: MAX_ERRORS } },
    allowBatchedQueries: false,
    validationRules: validationRules('post', { introspection }),
    additionalRouteOptions: {
      bodyLimit: MAX_BODY_BYTES,
      preHandler: ({ body, headers }, _reply, done) => {
        try {
          const { query, variables } = (body ?? {}) as { query?: unknown; variables?: unknown };
          refuseVariableFlood(variables);
          if (typeof query === 'string') {
            refuseTokenFlood(query);
            const isSmall = Number(headers['content-length']) <= SMALL_BODY_BYTES;
            if (!isSmall) refuseVariableFaults(query, variables);
          }
          done();
        } catch (error) {
          done(error as Error);
        }
      },
      preSerialization: (_request, reply, answer, done) => {
        if (!isTooLarge(answer)) return done(null, answer);
        reply.status(400);
        done(null, { data: null, errors: formatErrors([tooLarge()], () => {}) });
      },
    },
    context: async (request) => contextOf(shared, await request.viewer(), request.ip),
    errorFormatter: (execution, context) => {
      // None where a page asks in process.
      const request = context.reply?.request;
      const log = request?.log ?? context.app.log;
      const formatted = formatErrors(
        execution.errors as GraphQLError[],
        (error) => log.error({ err: error }, 'a resolver failed'),
        request?.id,
      );
      // A page is told of each of its parts that could not be loaded.
      const errors = request ? formatted.slice(0, MAX_ERRORS) : formatted;
      const { viewer } = context as unknown as Partial<GraphqlContext>;
      for (const { originalError } of execution.errors as GraphQLError[]) {
        if (context.reply) setRetryAfter(context.reply, originalError);
      }
      const statusCode = statusOf(execution.errors as GraphQLError[], viewer);
      return { statusCode, response: { data: execution.data ?? null, errors } } as never;
    },
  });
  app.graphql.addHook('preValidation', async (_schema, document) => refuseSyntaxTree(document));

  return async (source, variables, viewer, address) => {
    const context = contextOf(shared, viewer, address);
    const { data, errors } = await app.graphql(source, context, variables);
    const failures = (errors ?? []).map((error) => ({
      field: error.path?.[0]?.toString(),
      // As it was formatted for a client: with the code that its status follows from.
      cause: toError(error),
    }));
    return { data: data ?? null, failures };
  };
}

function contextOf(shared: SharedContext, viewer: Viewer, address: string): GraphqlContext {
  const own = { viewer, address, findViewer: async () => viewer };
  return Object.assign(Object.create(shared), own);
}

/**
 * A link on another site can make a browser send a GET with its cookies, and a form there a post of
 * a form's types: nothing is asked by either.
 */
const jsonPostsOnly: onRequestHookHandler = (request, reply, done) => {
  if (request.routeOptions.url !== '/graphql') return done();
  reply.header('cache-control', 'no-store');
  if (request.method !== 'POST') {
    reply.header('allow', 'POST');
    return refuse(405, 'Send GraphQL requests by POST.');
  }
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    return refuse(415, 'Send the query as application/json.');
  }
  done();

  function refuse(status: number, detail: string) {
    sendProblem(request, reply, problem(status, 'INVALID_INPUT', detail));
  }
};

/**
 * What a resolver refuses is an answer like any other, but for a caller without any key; a
 * refused request has its own status.
 */
function statusOf(errors: GraphQLError[], viewer: Viewer | undefined): number {
  const refused = errors.find((error) => error.path === undefined);
  if (!refused) return viewer?.authority === 'none' ? 401 : 200;
  const cause = refused.originalError ?? refused;
  return cause instanceof GraphQLError ? 400 : toProblem(cause).status;
}

function toError({ message, originalError, extensions }: GraphQLError): Error {
  if (originalError) return originalError;
  const { retryAfter } = extensions as { retryAfter?: number };
  if (retryAfter !== undefined) return new RateLimited(retryAfter * 1_000, message);
  return new DomainError((extensions?.code as ErrorCode | undefined) ?? 'INTERNAL', message);
}

/**
 * Looks for faults in the variables before the engine does, which writes all of a variable into
 * each of the fifty errors that it may find there: ten milliseconds of work for 64 KiB.
 * @throws AggregateError of the first ten GraphQLErrors, with the status 400
 */
function refuseVariableFaults(query: string, variables: unknown): void {
  if (typeof variables !== 'object' || variables === null) return;
  const errors: GraphQLError[] = [];
  const refuse = () => {
    const refusal = new AggregateError(errors, 'The variables do not match the query.');
    throw Object.assign(refusal, { statusCode: 400 });
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
        const place = path.length > 0 ? ` at "${writePath([name, ...path])}"` : '';
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

/** `f.and[0].price` */
function writePath(path: readonly (string | number)[]): string {
  return path
    .map((part, place) => {
      if (typeof part === 'number') return `[${part}]`;
      return place === 0 ? part : `.${part}`;
    })
    .join('');
}
