import { createHash } from 'node:crypto';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isShownByBrowsers, lastPart, OPENING_COOKIE } from '../../../contract/links.ts';
import { describePending } from '../../../contract/texts.ts';
import { findUrl, requireDeliverable } from '../../catalog/links/queries.ts';
import type { StampedCopies } from '../../catalog/links/stamp.ts';
import type { Link } from '../../catalog/links/tables.ts';
import type { ApiCall } from '../../edge/http/describe-calls.ts';
import { describeUnlockFailure, type RenderPaywall } from '../../edge/pages/error-pages.ts';
import { requireChecked } from '../../files/check-file.ts';
import { type FileStore, requireWhole } from '../../files/file-store.ts';
import { findFinishedFile } from '../../files/queries.ts';
import { sendBlob } from '../../files/send-blob.ts';
import type { StoredFile } from '../../files/tables.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import type { Changes } from '../../ground/lib/changes.ts';
import { deviceOf } from '../../ground/lib/describe-device.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { Signer } from '../../ground/lib/signer.ts';
import type { Viewer } from '../../ground/lib/viewer.ts';
import { findLinkWithAccess } from '../../selling/access/access.ts';
import {
  type AccessibleFile,
  type AccessibleVersion,
  chooseVersions,
  filesOfVersions,
  findFileRight,
} from '../../selling/access/file-access.ts';
import { type DownloadTicket, redeemDownload, signArchive, signDownload } from './download-url.ts';
import { recordDelivery } from './record-delivery.ts';
import { cutByTakeDowns, type RunningDownload } from './running-downloads.ts';
import { chooseSent, openSent, type SentFile, sumSent } from './sent-file.ts';
import { type ArchivedFile, filesBetween, layOutArchive, openArchive } from './zip-archive.ts';

interface Context extends DatabaseContext {
  changes: Changes;
  store: FileStore;
  copies: StampedCopies;
  signer: Signer<DownloadTicket>;
  renderPaywall: RenderPaywall;
  /** Internal nginx location that serves the blobs, or null. */
  accel: string | null;
}

/** Counted from 0: of what a purchase brings, or of the version that is named. */
interface ContentQuery {
  file?: string;
  version?: string;
  /** 1 to see the file in the browser. */
  open?: string;
}
type ContentRequest = FastifyRequest<{ Params: { id: string }; Querystring: ContentQuery }>;
type DownloadRequest = FastifyRequest<{ Params: { token: string } }>;

const VERSION = z.string().optional().describe('Unless the one on sale, or that was bought.');
const LEADS = { 303: { says: 'To the download link, or to the page of the link.' } };

const CALLS = {
  content: {
    name: 'getContent',
    summary: 'Leads to what was bought.',
    caller: 'viewer',
    query: z.object({
      version: VERSION,
      file: z.string().optional().describe('Of several, from 0.'),
      open: z.string().optional().describe('1 to see it in the browser.'),
    }),
    answers: LEADS,
  },
  archive: {
    name: 'getArchive',
    summary: 'Leads to all the files that were bought, as one ZIP archive.',
    caller: 'viewer',
    query: z.object({ version: VERSION }),
    answers: LEADS,
  },
} satisfies Record<string, ApiCall>;

/** Delivery of what was bought: a permanent address per link, and signed ones that expire. */
export const downloadRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  const leadTo =
    (resolve: ResolveContent) => async (request: ContentRequest, reply: FastifyReply) => {
      const { id } = request.params;
      reply.header('cache-control', 'no-store');
      let target: string | null;
      try {
        const viewer = await request.viewer();
        target = await resolveContent(context, viewer, id, request.query, resolve);
      } catch (error) {
        const answer = describeUnlockFailure(error, ['LINK_BROKEN']);
        if (answer.status < 500) throw error;
        request.log.error({ err: error, linkId: id }, 'a link could not be delivered');
        return context.renderPaywall(request, reply, id, answer);
      }
      if (!target) return reply.redirect(`/p/${encodeURIComponent(id)}`, 303);
      // The seller's site need not learn where its buyer came from.
      return reply.header('referrer-policy', 'no-referrer').redirect(target, 303);
    };
  app.get('/p/:id/content', { config: { api: CALLS.content } }, leadTo(resolveContentUrl));
  app.get('/p/:id/content.zip', { config: { api: CALLS.archive } }, leadTo(resolveArchiveUrl));

  const underWay = new Set<Promise<unknown>>();
  const running = new Set<RunningDownload>();
  const handler = (request: DownloadRequest, reply: FastifyReply) => {
    const ticket = readTicket(context, request);
    // Before its right is looked at: a take-down from then on finds it here.
    const one = { ticket, cut: () => reply.raw.destroy() };
    running.add(one);
    const answered = download(context, request, reply, one);
    underWay.add(answered);
    const forget = () => {
      underWay.delete(answered);
      running.delete(one);
    };
    answered.then(forget, forget);
    return answered;
  };
  const notRead = (error: unknown) =>
    app.log.error({ err: error }, 'the rights of running downloads could not be read');
  app.addHook('onClose', cutByTakeDowns({ ...context, notRead }, running));
  // Those that closing cuts off are recorded like all others.
  app.addHook('onClose', () => Promise.allSettled(underWay).then(() => {}));
  // HEAD by name: the one that comes with a GET route would answer a content-length of 0.
  const method = ['GET', 'HEAD'];
  app.route({ method, url: '/download/:token', handler });
  app.route({ method, url: '/download/:token/:name', handler });
};

/** Where content is, of which these versions may be had. @throws DomainError NOT_FOUND */
type ResolveContent = (
  context: Context,
  link: Link,
  versions: [AccessibleVersion, ...AccessibleVersion[]],
  query: ContentQuery,
) => Promise<string | null>;

/**
 * Where this viewer finds the content of a link; null if it is locked.
 * @throws DomainError LINK_BROKEN, NOT_FOUND
 */
async function resolveContent(
  context: Context,
  viewer: Viewer,
  linkId: string,
  query: Pick<ContentQuery, 'version'>,
  resolve: ResolveContent,
): Promise<string | null> {
  const found = await findLinkWithAccess({ db: context.db, viewer }, linkId);
  if (found?.access.kind !== 'granted') return null;
  const { link, access } = found;
  requireDeliverable(link);
  const number = query.version === undefined ? undefined : Number(query.version);
  const [version, ...others] = chooseVersions(link, access.rights, number);
  if (!version) throw new DomainError('NOT_FOUND', 'This version is not available to you.');
  return resolve(context, link, [version, ...others], query);
}

const resolveContentUrl: ResolveContent = async (context, link, versions, query) => {
  const { db, signer, now } = context;
  // Its page leads to its parts.
  if (link.type === 'bundle') return null;
  if (link.type === 'link') return findUrl(db, link, versions[0].number);
  const files = await filesOfVersions(db, link, versions);
  const chosen = files[Number(query.file ?? 0)];
  if (!chosen) throw new DomainError('NOT_FOUND', 'This link has no such file.');
  const { file, right } = chosen;
  return signDownload(signer, { linkId: link.id, right }, file, {
    now: now(),
    open: query.open === '1',
  });
};

const resolveArchiveUrl: ResolveContent = async ({ db, signer, now }, link, versions) => {
  const files = await filesOfVersions(db, link, versions);
  if (files.length === 0) throw new DomainError('NOT_FOUND', 'This link has no files.');
  return signArchive(signer, link, { versions, files }, now());
};

/** @throws DomainError DOWNLOAD_INVALID */
function readTicket({ signer }: Context, { params }: DownloadRequest): DownloadTicket {
  const ticket = signer.read(params.token);
  if (ticket) return ticket;
  throw new DomainError(
    'DOWNLOAD_INVALID',
    'This download link is incomplete or was changed. Open the page it came from, or the personal link in your receipt, to get a new one.',
  );
}

async function download(
  context: Context,
  request: DownloadRequest,
  reply: FastifyReply,
  one: RunningDownload,
): Promise<FastifyReply> {
  const { ticket } = one;
  let redeemed = await redeemDownload(context, ticket);
  if (redeemed.kind === 'refused') {
    const fresh = await refresh(context, request, ticket);
    if (!fresh) throw redeemed.refusal;
    // Browsers that go on with a download follow no redirect.
    if (request.headers.range === undefined) {
      return reply.header('cache-control', 'no-store').redirect(fresh, 302);
    }
    one.ticket = context.signer.read(fresh.split('/')[2] ?? '') ?? ticket;
    redeemed = await redeemDownload(context, one.ticket);
    if (redeemed.kind === 'refused') throw redeemed.refusal;
  }
  const files = redeemed.kind === 'file' ? [redeemed] : redeemed.files;
  for (const { file } of files) {
    requireChecked(file, 'downloaded', ticket.linkId);
    await requireWhole(context.store, file, ticket.linkId, DAMAGED);
  }
  tellPage(request, reply);
  const { linkId } = one.ticket;
  const unstamped = (error: Error) =>
    request.log.warn({ err: error, linkId }, 'a PDF was delivered without its stamp');
  const choose = (file: AccessibleFile) => chooseSent({ ...context, unstamped }, linkId, file);
  const sent: SentFile[] = [];
  // One by one: a copy of each may have to be made.
  for (const { file, right } of files) sent.push(await choose({ file, right }));
  if (sent.some(({ isCopy }) => isCopy)) {
    // That takes a while, in which a right may end.
    const again = await redeemDownload(context, one.ticket);
    if (again.kind === 'refused') throw again.refusal;
  }
  const [first] = sent;
  if (redeemed.kind === 'file' && first) {
    return sendFile(context, request, reply, { ...first, open: redeemed.open });
  }
  const name = redeemed.kind === 'archive' ? redeemed.name : '';
  return sendArchive(context, request, reply, { name, files: sent });
}

const DAMAGED =
  'This file is damaged on our side and cannot be delivered at the moment. What you paid for is still yours: please try again later, or contact support.';

/** An old URL opened by a viewer who may have what it brought leads to a new one. */
async function refresh(
  context: Context,
  request: FastifyRequest,
  ticket: DownloadTicket,
): Promise<string | null> {
  const viewer = await request.viewer();
  if ('fileKey' in ticket) {
    const file = await findFinishedFile(context.db, ticket.fileKey);
    return file ? signForViewer(context, viewer, file, ticket.open) : null;
  }
  const { linkId, versions } = ticket;
  const [{ number } = { number: 0 }, ...others] = versions;
  const query = others.length === 0 ? { version: String(number) } : {};
  return resolveContent(context, viewer, linkId, query, resolveArchiveUrl).catch(ignoreLack);
}

function ignoreLack(error: unknown): null {
  if (error instanceof DomainError && ['NOT_FOUND', 'LINK_BROKEN'].includes(error.code))
    return null;
  throw error;
}

function sendFile(
  { db, store, copies, accel, now }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  sent: SentFile & { open: boolean },
): Promise<FastifyReply> {
  const startedAt = now();
  const { file, right } = sent;
  const blob = {
    blob: sent.blob,
    open: () => openSent({ store, copies }, sent),
    size: sent.size,
    name: lastPart(file.name),
    mediaType: file.media_type,
    // Bytes are written once, under a unique name, which must not be revealed.
    etag: `"${createHash('sha256').update(sent.blob).digest('base64url')}"`,
    lastModified: modifiedAt(sent),
    accel: sent.isCopy ? null : accel,
    direct: sent.isCopy ? null : store.direct,
    isShown: sent.open && isShownByBrowsers(file.media_type),
  };
  return sendBlob(request, reply, blob, ({ outcome, firstByte, bytesSent }) =>
    recordDelivery(db, [{ file, right, ...countInFile(sent, firstByte, firstByte + bytesSent) }], {
      outcome,
      started_at: startedAt,
      ended_at: now(),
      ...deviceOf(request),
    }),
  );
}

/** A second apart: a part of the file never goes on where one of its copy ended (RFC 9110 §13.1.5). */
const modifiedAt = ({ file, isCopy }: SentFile) =>
  (file.finished_at ?? file.created_at) + (isCopy ? 1_000 : 0);

/** Whatever was sent of a copy counts as so much of its file: the end of one is the end of the other. */
function countInFile({ file, size }: SentFile, first: number, end: number) {
  const within = (at: number) => (at === size ? file.size_bytes : Math.min(at, file.size_bytes));
  const firstByte = within(first);
  return { firstByte, bytesSent: within(end) - firstByte };
}

type Archived = ArchivedFile & { sent: SentFile };

/** @throws DomainError CONTENT_PENDING for what was on sale before files were summed */
async function archivedAs(
  context: Pick<Context, 'store' | 'copies'>,
  sent: SentFile,
): Promise<Archived> {
  const sums = await sumSent(context, sent);
  if (!sums) throw new DomainError('CONTENT_PENDING', describePending('downloaded'));
  const { blob, size, file } = sent;
  return { sent, name: file.name, blob, size, ...sums, modifiedAt: modifiedAt(sent) };
}

/** All of them as one archive, which is put together here, wherever they are stored. */
async function sendArchive(
  { db, store, copies, now }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, files }: { name: string; files: SentFile[] },
): Promise<FastifyReply> {
  const startedAt = now();
  const archived: Archived[] = [];
  for (const sent of files) archived.push(await archivedAs({ store, copies }, sent));
  const archive = layOutArchive(archived);
  const blob = {
    blob: '',
    name,
    mediaType: 'application/zip',
    lastModified: Math.max(...archived.map(({ modifiedAt }) => modifiedAt)),
    size: archive.size,
    etag: archive.etag,
    accel: null,
    direct: null,
    isShown: false,
    open: async () => openArchive(archive, ({ sent }) => openSent({ store, copies }, sent)),
  };
  return sendBlob(request, reply, blob, ({ outcome, firstByte, bytesSent }) => {
    const parts = filesBetween(archive, firstByte, firstByte + bytesSent);
    const sent = parts.map(({ file: { sent }, first, end }) => ({
      file: sent.file,
      right: sent.right,
      ...countInFile(sent, first, end),
    }));
    const times = { started_at: startedAt, ended_at: now() };
    return recordDelivery(db, sent, { outcome, ...times, ...deviceOf(request) });
  });
}

/** Lets the page that asked for content know that it is on its way. */
function tellPage(request: FastifyRequest, reply: FastifyReply): void {
  if (request.cookies[OPENING_COOKIE] === undefined) return;
  // By hand: the plugin sets its cookies in a hook that an answer of bytes does not go through.
  reply.header('set-cookie', `${OPENING_COOKIE}=; Path=/; Max-Age=0; SameSite=Lax`);
}

/** A signed URL of a file for a viewer who has a right to it, else null. */
export async function signForViewer(
  { db, signer, now }: Pick<Context, 'db' | 'signer' | 'now'>,
  viewer: Viewer,
  file: StoredFile,
  open = false,
): Promise<string | null> {
  const right = await findFileRight({ db, viewer }, file);
  return right && signDownload(signer, right, file, { now: now(), open });
}
