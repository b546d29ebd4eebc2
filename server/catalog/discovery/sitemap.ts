import { pipeline, Readable, type Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { ByteBoundedMap } from '../../ground/lib/byte-bounded-map.ts';
import type { Changes } from '../../ground/lib/changes.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { isPublicLink, listSitemapParts, readPublicLinks } from '../listing/list-public.ts';
import { readSellerHandles } from '../sellers/queries.ts';

const PAGES = ['/', '/explore', '/terms', '/privacy'];
const CACHED_SECONDS = 60;

interface Entry {
  url: string;
  lastmod?: string;
}

type Entries = Iterable<Entry> | AsyncIterable<Entry>;

interface Context extends DatabaseContext {
  changes: Changes;
  publicUrl: string;
}

/** GET /sitemap.xml, which names the files below /sitemap/: the pages, the sellers, and the links on sale. */
export function registerSitemap(app: FastifyInstance, context: Context): void {
  const { db, changes, publicUrl, now } = context;
  const texts = createKeptTexts(now, withoutEntries);
  const writer = createSitemapWriter(context);
  const unsubscribe = changes.subscribe({
    changed({ kind, id }) {
      if (kind === 'link-deleted' || kind === 'link-taken-down') leaveOut(id);
      if (kind === 'link-updated') void leaveOutHidden(id);
    },
    missed: texts.clear,
  });
  app.addHook('onClose', unsubscribe);

  /** Hidden and deleted links are no longer listed, not even in files written earlier. */
  function leaveOut(id: string): void {
    // A part that was written when there were fewer links had a shorter beginning.
    for (const prefix of ['', id.slice(0, 1), id.slice(0, 2), id.slice(0, 3)]) {
      texts.leaveOut(`links-${prefix}`, `${publicUrl}/p/${id}`);
    }
  }

  async function leaveOutHidden(id: string): Promise<void> {
    try {
      if (!(await isPublicLink(db, id))) leaveOut(id);
    } catch (error) {
      texts.clear();
      app.log.error({ err: error }, 'a sitemap could not be brought up to date');
    }
  }

  app.get('/sitemap.xml', (_request, reply) => send(reply, 'index', writer.writeIndex));
  app.get('/sitemap/pages.xml', (_request, reply) => send(reply, 'pages', writer.writePages));
  app.get('/sitemap/sellers.xml', (_request, reply) => send(reply, 'sellers', writer.writeSellers));
  app.get('/sitemap/links.xml', (_request, reply) => sendLinks(reply, ''));
  app.get(
    '/sitemap/links-:prefix(^[0-9a-f]{1,3}$).xml',
    (request: FastifyRequest<{ Params: { prefix: string } }>, reply) =>
      sendLinks(reply, request.params.prefix),
  );

  async function send(reply: FastifyReply, name: string, write: () => Promise<Buffer>) {
    const text = await texts.keep(name, write);
    return reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', `public, max-age=${CACHED_SECONDS}`)
      .send(text);
  }

  const sendLinks = (reply: FastifyReply, prefix: string) =>
    send(reply, `links-${prefix}`, () => writer.writeLinks(prefix));
}

/** The files of the sitemap, each with what the site shows now. */
function createSitemapWriter({ db, publicUrl }: Pick<Context, 'db' | 'publicUrl'>) {
  async function writeIndex(): Promise<Buffer> {
    const files = ['pages', ...(await listParts())];
    const entries = files.map((part) => ({ url: `${publicUrl}/sitemap/${part}.xml` }));
    const { SitemapIndexStream } = await import('sitemap');
    return write(entries, new SitemapIndexStream());
  }

  async function listParts(): Promise<string[]> {
    const sellers = (await describeSellers().next()).done ? [] : ['sellers'];
    const prefixes = await listSitemapParts(db);
    if (prefixes.length > 1) return [...sellers, ...prefixes.map((prefix) => `links-${prefix}`)];
    const first = await describeLinks('').next();
    return first.done ? sellers : [...sellers, 'links'];
  }

  /** The format knows no file without an entry. @throws DomainError NOT_FOUND */
  async function writeSome(entries: AsyncGenerator<Entry, undefined>): Promise<Buffer> {
    const first = await entries.next();
    if (first.done) throw new DomainError('NOT_FOUND', 'There is no list at this address.');
    return writeEntries(
      (async function* () {
        yield first.value;
        yield* entries;
      })(),
    );
  }

  async function* describeSellers(): AsyncGenerator<Entry, undefined> {
    for await (const handle of readSellerHandles(db)) yield { url: `${publicUrl}/s/${handle}` };
  }

  async function* describeLinks(prefix: string): AsyncGenerator<Entry, undefined> {
    for await (const { id, updated_at } of readPublicLinks(db, prefix)) {
      yield { url: `${publicUrl}/p/${id}`, lastmod: new Date(updated_at).toISOString() };
    }
  }

  return {
    writeIndex,
    writePages: () => writeEntries(PAGES.map((path) => ({ url: publicUrl + path }))),
    writeSellers: () => writeSome(describeSellers()),
    writeLinks: (prefix: string) => writeSome(describeLinks(prefix)),
  };
}

function withoutEntries(text: Buffer, addresses: ReadonlySet<string>): Buffer {
  const entries = /<url><loc>([^<]*)<\/loc>.*?<\/url>/gs;
  const kept = text
    .toString()
    .replace(entries, (entry, address) => (addresses.has(address) ? '' : entry));
  return Buffer.from(kept);
}

async function writeEntries(entries: Entries): Promise<Buffer> {
  const { SitemapStream } = await import('sitemap');
  return write(entries, new SitemapStream());
}

const write = (entries: Entries, writer: Transform): Promise<Buffer> =>
  buffer(pipeline(Readable.from(entries), writer, () => {}));

const KEPT_MS = 10 * 60_000;
const KEPT_BYTES = 32 * 1024 * 1024;

interface Kept {
  text: Promise<Buffer>;
  /** UTC milliseconds. */
  until: number;
  /** Names of entries to remove from the text before it is sent again. */
  leftOut: Set<string>;
}

/**
 * Caches public texts that take many rows to write, so that frequent requests cost no more. One is
 * written at a time.
 * @param without scans a whole text, so it is not called for each entry, but once for all when the
 * text is sent
 */
export function createKeptTexts(
  now: () => number,
  without: (text: Buffer, entries: ReadonlySet<string>) => Buffer,
) {
  const kept = new ByteBoundedMap<Kept>(KEPT_BYTES);
  let last: Promise<unknown> = Promise.resolve();
  const keep = (name: string, entry: Kept) =>
    kept.setSoon(
      name,
      entry,
      entry.text.then(({ length }) => length),
    );
  return {
    /** @throws what writing the text throws; it is retried for the next request */
    keep(name: string, write: () => Promise<Buffer>): Promise<Buffer> {
      const known = kept.get(name);
      if (known && now() < known.until) {
        const { leftOut, until } = known;
        if (leftOut.size === 0) return known.text;
        const shorter = known.text.then((text) => without(text, leftOut));
        keep(name, { text: shorter, until, leftOut: new Set() });
        return shorter;
      }
      const text = last.then(write);
      last = text.catch(() => {});
      keep(name, { text, until: now() + KEPT_MS, leftOut: new Set() });
      return text;
    },
    /** Leaves an entry out of a text for as long as the text is kept. */
    leaveOut: (name: string, entry: string) => kept.get(name)?.leftOut.add(entry),
    clear: () => kept.clear(),
  };
}
