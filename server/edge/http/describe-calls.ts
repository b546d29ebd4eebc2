import type { FastifyInstance, RouteOptions } from 'fastify';
import { z } from 'zod';
import { SCOPE_MEANS, SCOPES } from '../../../contract/secret-key-scopes.ts';

/** What programs are told of a call, beside what the route itself says of it. */
export interface ApiCall {
  /** By which clients name the call. */
  name: string;
  /** One sentence: what it does. */
  summary: string;
  /** Who may call it: anyone unless given. A route of `creatorsOnly` is of creators anyway. */
  caller?: 'session' | 'creator' | 'viewer';
  /** Headers that it reads, and what they say. */
  headers?: Record<string, string>;
  query?: z.ZodType;
  /** What is sent: as JSON, or bytes of a media type. */
  body?: z.ZodType | string;
  answers: Record<number, Answer>;
}

interface Answer {
  /** What it means. */
  says: string;
  json?: z.ZodType;
  /** Of an answer that is no JSON. */
  mediaType?: string;
  headers?: Record<string, string>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A call for programs: it stands in GET /openapi.json. Pages and their forms have none. */
    api?: ApiCall;
  }
}

const KEY = { secretKey: [] };
const SESSION = { session: [] };
const PAGE_KEY = { publishableKey: [] };

const SECURITY_SCHEMES = {
  secretKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: `sk_padlink_…, from the account page. ${SCOPES.map(
      (scope) => `With the scope “${scope}”, programs can ${SCOPE_MEANS[scope]}.`,
    ).join(' ')}`,
  },
  publishableKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'pk_…, from /config.json: reads what is public.',
  },
  session: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token that a sign-in answers with.',
  },
};

const PROBLEM = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().describe('For people.'),
  code: z.string().describe('One of contract/error-codes.ts.'),
  requestId: z.string().describe('To quote to support.'),
});

/**
 * GET /openapi.json: every route that says in its `config` that it is a call for programs, as
 * OpenAPI 3.1. To be called before routes are registered.
 */
export function describeRoutes(
  app: FastifyInstance,
  { publicUrl, version }: { publicUrl: string; version: string },
): void {
  const paths: Record<string, Record<string, object>> = {};
  app.addHook('onRoute', (route) => {
    const { api } = route.config ?? {};
    if (!api) return;
    const path = route.url.replace(/:(\w+)/g, '{$1}');
    // HEAD comes with each GET by itself.
    const methods = [route.method].flat();
    const told = methods.length > 1 ? methods.filter((method) => method !== 'HEAD') : methods;
    if (told[0] === 'HEAD' && paths[path]?.get) return;
    for (const method of told) {
      paths[path] = { ...paths[path], [method.toLowerCase()]: describeCall(route, api) };
    }
  });
  const api: ApiCall = {
    name: 'describeApi',
    summary: 'This description.',
    answers: { 200: { says: 'OpenAPI 3.1.', json: z.looseObject({ openapi: z.string() }) } },
  };
  app.get('/openapi.json', { config: { api } }, async (_request, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .header('cache-control', 'public, max-age=300')
      .send({
        openapi: '3.1.1',
        info: {
          title: 'Padlink',
          version,
          license: { name: 'MIT', identifier: 'MIT' },
          description: 'The calls beside the GraphQL schema, which POST /graphql takes.',
        },
        servers: [{ url: publicUrl }],
        paths,
        components: { securitySchemes: SECURITY_SCHEMES, schemas: { Problem: toSchema(PROBLEM) } },
      }),
  );
}

function describeCall(route: RouteOptions, api: ApiCall): object {
  const { creatorsOnly, limit } = route.config ?? {};
  const isOfCreators = creatorsOnly !== undefined || api.caller === 'creator';
  const body = api.body ?? (route.schema?.body as object | undefined);
  return {
    operationId: api.name,
    summary: api.summary,
    security: securityOf(api, isOfCreators),
    parameters: parametersOf(route.url, api),
    ...(body && { requestBody: { required: true, content: contentOf(body) } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(api.answers).map(([status, answer]) => [status, describeAnswer(answer)]),
      ),
      ...(isOfCreators && {
        401: problem(creatorsOnly ?? 'Sign in, or send a key.'),
        403: problem('`SCOPE_MISSING`: the secret key lacks the scope “sell”.'),
      }),
      ...(limit && { 429: problem('Too often; `Retry-After` says how many seconds to wait.') }),
      default: problem('An error.'),
    },
  };
}

function securityOf({ caller }: ApiCall, isOfCreators: boolean): object[] {
  if (isOfCreators) return [KEY, SESSION];
  if (caller === 'session') return [SESSION];
  // What a guest may see, a guest is shown.
  return caller === 'viewer' ? [KEY, SESSION, PAGE_KEY, {}] : [];
}

const TEXT = { type: 'string' };

function parametersOf(url: string, { query, headers = {} }: ApiCall): object[] {
  const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name]) => name);
  const { properties = {}, required = [] } = query ? toSchema(query) : {};
  return [
    ...inPath.map((name) => ({ name, in: 'path', required: true, schema: TEXT })),
    ...Object.entries(properties).map(([name, schema]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      schema,
    })),
    ...Object.entries(headers).map(([name, description]) => ({
      name,
      in: 'header',
      description,
      schema: TEXT,
    })),
  ];
}

function describeAnswer({ says, json, mediaType, headers }: Answer): object {
  const described = Object.entries(headers ?? {}).map(
    ([name, description]) => [name, { description, schema: TEXT }] as const,
  );
  return {
    description: says,
    ...((json || mediaType) && { content: contentOf(json ?? (mediaType as string)) }),
    ...(headers && { headers: Object.fromEntries(described) }),
  };
}

function contentOf(body: z.ZodType | string | object): object {
  if (typeof body === 'string') return { [body]: {} };
  const schema = body instanceof z.ZodType ? toSchema(body) : body;
  return { 'application/json': { schema } };
}

function problem(description: string): object {
  const schema = { $ref: '#/components/schemas/Problem' };
  return { description, content: { 'application/problem+json': { schema } } };
}

type JsonSchema = { properties?: Record<string, object>; required?: string[] };

/** As it is sent or received, before anything is made of it. */
function toSchema(type: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' });
  return schema as JsonSchema;
}
