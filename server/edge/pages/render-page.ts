import { promisify } from 'node:util';
import { brotliCompress, constants, zstdCompressSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DocumentNode, print } from 'graphql';
import type { Said } from '../../../contract/fact.ts';
import { isTranslated, type Spoken } from '../../../contract/languages.ts';
import type { PageContext, PageData } from '../../../contract/page-context.ts';
import type { PageName } from '../../../contract/pages.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { isTableForm, TABLE_FORM_COOKIE } from '../../../contract/tables.ts';
import { languageOf } from '../../ground/lib/language.ts';
import type { Viewer } from '../../ground/lib/viewer.ts';
import { retryAfterOf, toProblem } from '../http/errors.ts';
import type { DocumentHeaders } from '../http/security-headers.ts';
import type { WebApp } from './built-web-app.ts';

/** Runs a page's query in process with the viewer's authority, for a network address. */
export type RunQuery = (
  source: string,
  variables: Record<string, unknown>,
  viewer: Viewer,
  address: string,
) => Promise<QueryAnswer>;

interface QueryAnswer {
  /** What could be loaded. */
  data: Record<string, unknown> | null;
  /** What could not, each with the field of the query that it belongs to. */
  failures: { field: string | undefined; cause: Error }[];
}

interface Context {
  web: WebApp;
  runtimeConfig: RuntimeConfig;
  runQuery: RunQuery;
  headers: DocumentHeaders;
  /** Addresses of the accounts that may sell; null for every account. */
  sellers: readonly string[] | null;
  /** How many links are in the cart of a browser, by its claim. */
  countCart(claimHash: string): Promise<number>;
  /** Whether pages can be had in the language that tests alone know. */
  trial: boolean;
}

/** A page to be shown, with its data if it has no query. */
export type PageRequest = {
  [Name in PageName]: PageOptions & { name: Name } & (Name extends keyof PageData
      ? { data: PageData[Name] }
      : { data?: never });
}[PageName];

interface PageOptions {
  status?: number;
  error?: Said;
  errorHint?: Said;
  askedFor?: string;
  params?: Record<string, string>;
  /** Where the visitor came from, as `contract/sources.ts` writes it. */
  from?: string | undefined;
  /** A discount code that its address does not have. */
  code?: string | undefined;
  /** What was typed of a gift in a form that this page answers. */
  gift?: { email: string; message?: string | null | undefined } | undefined;
  /** Shown to its owner as a buyer sees it. */
  preview?: boolean;
  /** A checkout of the link is open to the viewer and not paid. */
  openCheckout?: boolean;
  path?: string;
  /** Links in the viewer's cart, where they were read for the page. */
  cart?: number;
  /** It shows what was typed in this browser, and is not to be kept. */
  isPersonal?: boolean;
  /** Finds the page to be shown where this one finds nothing (404); null for this one. */
  whenMissing?: () => Promise<PageRequest | null>;
}

interface RenderedPage {
  status: number;
  body: Buffer;
  /** For X-Robots-Tag; the same as in the document. */
  robots: string | undefined;
  /** Seconds, where something may be loaded if it is asked for again. */
  retryAfter: number | undefined;
  /** The path of the page that is to be shown in place of this one. */
  redirect: string | undefined;
}

export interface PageRenderer {
  headers: DocumentHeaders;
  /** That a visitor is answered in. */
  languageOf(headers: FastifyRequest['headers']): Spoken;
  /** Whether a page is the same as without what its address has behind the question mark. */
  ignores(name: PageName, query: unknown): boolean;
  /** What the server has to say to a visitor, in their language. */
  tell(request: FastifyRequest, said: Said): string;
  render(request: FastifyRequest, page: PageRequest, viewer: Viewer): Promise<RenderedPage>;
  /** Renders a page for the viewer and sends it, never to be cached. */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    page: PageRequest,
    viewer?: Viewer,
  ): Promise<FastifyReply>;
}

export function createPageRenderer(options: Context): PageRenderer {
  const { web, headers, trial } = options;
  const load = createLoad(options);

  /** A page whose header cannot tell of the cart is shown all the same. */
  async function countCart(request: FastifyRequest, { claimHash }: Viewer): Promise<number> {
    if (claimHash === null) return 0;
    return options.countCart(claimHash).catch((error: unknown) => {
      request.log.warn({ err: error }, 'a cart could not be counted');
      return 0;
    });
  }

  async function render(
    request: FastifyRequest,
    shown: PageRequest,
    viewer: Viewer,
  ): Promise<RenderedPage> {
    const { name, status = 200 } = shown;
    const page = web.pages[name];
    const context = contextOf(options, request, shown, viewer);
    const count = async () => shown.cart ?? countCart(request, viewer);
    const loading = load(request, shown, context, viewer);
    // That page may be what finds out that the cart was paid.
    const counting = name === 'success' ? loading.then(count) : count();
    const [{ data, retryAfter }, cart] = await Promise.all([loading, counting]);
    if (cart > 0) context.cart = cart;
    const body = await web.render(name, context, data);
    return {
      status: status === 200 ? (page.status?.(data, context) ?? 200) : status,
      body,
      robots: page.head(data, context).robots,
      retryAfter,
      redirect: page.redirect?.(data, context),
    };
  }

  return {
    headers,
    languageOf: (asked) => languageOf(asked, trial),
    ignores(name, query) {
      const reads = web.pages[name].reads;
      return Object.keys(query ?? {}).every((asked) => reads && !reads.includes(asked));
    },
    tell: (request, said) => web.tell(languageOf(request.headers, trial), said),
    render,
    async send(request, reply, page, viewer) {
      const whoAsks = viewer ?? (await request.viewer());
      const rendered = await render(request, page, whoAsks);
      const { status, body, robots, retryAfter, redirect } = rendered;
      const other = status === 404 ? await page.whenMissing?.() : null;
      if (other) return this.send(request, reply, other, whoAsks);
      if (redirect !== undefined) {
        return reply.header('cache-control', 'private, no-store').redirect(redirect, 303);
      }
      // What is anybody's may be gone back to as it was left.
      const isKept = isAnybody(whoAsks) && !page.isPersonal && status < 400;
      reply
        .status(status)
        .headers(headers(page.name))
        .header('cache-control', keepDocument(isKept ? 'no-cache' : 'no-store'));
      if (robots) reply.header('x-robots-tag', robots);
      if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
      return sendCompressed(request, reply, body);
    },
  };
}

/** What a page is told besides its data. */
function contextOf(
  { web, runtimeConfig, sellers, trial }: Context,
  request: FastifyRequest,
  { name, error, errorHint, askedFor, params, path, ...shown }: PageRequest,
  viewer: Viewer,
): PageContext {
  const language = isTranslated(name) ? languageOf(request.headers, trial) : 'en';
  // Never in a page that is kept for guests.
  const tableForm = viewer.user && request.cookies[TABLE_FORM_COOKIE];
  return {
    config: runtimeConfig,
    viewer: viewer.user && {
      id: viewer.user.id,
      firstName: viewer.user.firstName,
      sells: sellers === null || sellers.includes(viewer.user.email),
      operates: viewer.user.operates,
    },
    ...(!viewer.user && viewer.claimHash !== null && { buyer: true }),
    path: path ?? request.url.split('?', 1)[0] ?? '/',
    params: params ?? (request.params as Record<string, string>),
    query: {
      ...readQuery(request.query, web.pages[name].reads),
      ...(shown.code !== undefined && { code: shown.code }),
    },
    ...(language !== 'en' && { language }),
    ...(shown.from !== undefined && shown.from !== 'direct' && { from: shown.from }),
    ...(shown.gift && { gift: { email: shown.gift.email, message: shown.gift.message ?? '' } }),
    ...(shown.preview && { preview: true }),
    ...(shown.openCheckout && { openCheckout: true }),
    ...(isTableForm(tableForm) && { tableForm }),
    ...(error !== undefined && { error: web.tell(language, error) }),
    ...(name === 'error' && { requestId: request.id }),
    ...(errorHint !== undefined && { errorHint: web.tell(language, errorHint) }),
    ...(askedFor !== undefined && { askedFor }),
  };
}

interface Loaded {
  data: object | null;
  /** Seconds, where what failed may be loaded later. */
  retryAfter?: number | undefined;
}

/** Runs the queries of pages; what of one failed is noted in the context of its page. */
function createLoad({ web, runQuery }: Context) {
  const queries = new Map<DocumentNode, string>();
  const printed = (document: DocumentNode) => {
    const known = queries.get(document) ?? print(document);
    queries.set(document, known);
    return known;
  };
  return async (
    request: FastifyRequest,
    { name, data }: PageRequest,
    context: PageContext,
    viewer: Viewer,
  ): Promise<Loaded> => {
    const page = web.pages[name];
    if (!page.query) return { data: data ?? null };
    const variables = page.variables?.(context) ?? {};
    const answer = await runQuery(printed(page.query), variables, asReader(viewer), request.ip);
    const [failure] = answer.failures;
    if (!failure) return { data: answer.data };
    if (!page.fallback) throw failure.cause;
    let retryAfter: number | undefined;
    context.failed = {};
    for (const { field, cause } of answer.failures) {
      const { status } = toProblem(cause);
      retryAfter ??= retryAfterOf(cause);
      // A bad address is its visitor's own fault.
      const level = status < 500 ? 'info' : 'error';
      request.log[level]({ err: cause }, `page ${name} could not load ${field ?? 'its data'}`);
      // An error of no field is one of the whole query.
      const fields = field === undefined ? Object.keys(page.fallback) : [field];
      for (const failed of fields) context.failed[failed] = status;
    }
    return { data: { ...page.fallback, ...answer.data }, retryAfter };
  };
}

/** A page view needs no key: whoever opens a page may read what it shows. */
function asReader(viewer: Viewer): Viewer {
  return viewer.authority === 'none' ? { ...viewer, authority: 'reader' } : viewer;
}

function isAnybody({ user, creatorId, claimHash }: Viewer): boolean {
  return user === null && creatorId === null && claimHash === null;
}

/**
 * What a page is told of its address: the names that it reads, or all. Express-like parsers give
 * arrays for repeated names: a page knows single values only.
 */
function readQuery(query: unknown, reads: readonly string[] | undefined): Record<string, string> {
  const entries = Object.entries((query ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    entries.filter(
      (entry): entry is [string, string] =>
        typeof entry[1] === 'string' && (reads?.includes(entry[0]) ?? true),
    ),
  );
}

/** A proxy that rewrites a page breaks the hashes that its policy allows its scripts by. */
export const keepDocument = (keeping: 'no-cache' | 'no-store') =>
  `private, ${keeping}, no-transform`;

const brotli = promisify(brotliCompress);

/** Fast enough for a page rendered for one viewer; a page kept for many is worth more. */
const QUALITY = { once: 4, kept: 9 };

const NAMED = {
  br: /\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/,
  zstd: /\bzstd\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/,
};

/** Every browser that takes an encoding says so; whoever names none gets the plain text. */
export function takes(encoding: keyof typeof NAMED, accepted: string | undefined): boolean {
  return accepted !== undefined && NAMED[encoding].test(accepted);
}

function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer,
): FastifyReply | Promise<FastifyReply> {
  const accepted = request.headers['accept-encoding'];
  if (takes('zstd', accepted)) {
    return reply.header('content-encoding', 'zstd').send(compressQuickly(body));
  }
  if (!takes('br', accepted)) return reply.send(body);
  return compress(body, 'once').then((text) => reply.header('content-encoding', 'br').send(text));
}

export function compress(body: Buffer, use: keyof typeof QUALITY): Promise<Buffer> {
  return brotli(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY[use],
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  });
}

/**
 * In a quarter of the time that `QUALITY.once` takes, for a document that is a twentieth longer: so
 * little, in zstd, that handing it to another thread would take as long again.
 */
function compressQuickly(body: Buffer): Buffer {
  return zstdCompressSync(body, { pledgedSrcSize: body.length });
}
