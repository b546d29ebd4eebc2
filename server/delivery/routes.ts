import { createHash } from 'node:crypto';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { OPENING_COOKIE } from '../../contract/links.ts';
import { accessTo, type Right } from '../access/access.ts';
import { chooseVersions, filesOfVersions, findFileRight } from '../access/file-access.ts';
import type { Database } from '../database/tables.ts';
import { requireChecked } from '../files/check-file.ts';
import { type FileStore, requireWhole } from '../files/file-store.ts';
import { findFinishedFile } from '../files/queries.ts';
import type { StoredFile } from '../files/tables.ts';
import { DomainError } from '../lib/domain-error.ts';
import type { Signer } from '../lib/signer.ts';
import type { Viewer } from '../lib/viewer.ts';
import { findLink, findUrl, requireDeliverable } from '../links/queries.ts';
import { describeUnlockFailure, type RenderPaywall } from '../pages/error-pages.ts';
import { type DownloadTicket, redeemDownload, signDownload } from './download-url.ts';
import { recordDelivery } from './record-delivery.ts';
import { sendBlob } from './send-blob.ts';

interface Context {
  db: Database;
  store: FileStore;
  signer: Signer<DownloadTicket>;
  renderPaywall: RenderPaywall;
  /** Internal nginx location that serves the blobs, or null. */
  accel: string | null;
  now: () => number;
}

/** Counted from 0: of what a purchase brings, or of the version that is named. */
interface ContentQuery {
  file?: string;
  version?: string;
}
type ContentRequest = FastifyRequest<{ Params: { id: string }; Querystring: ContentQuery }>;
type DownloadRequest = FastifyRequest<{ Params: { token: string } }>;

/** Delivery of what was bought: a permanent address per link, and signed ones that expire. */
export const downloadRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  app.get('/p/:id/content', async (request: ContentRequest, reply) => {
    const { id } = request.params;
    reply.header('cache-control', 'no-store');
    let target: string | null;
    try {
      const viewer = await request.viewer();
      target = await resolveContentUrl(context, viewer, id, request.query);
    } catch (error) {
      const answer = describeUnlockFailure(error, ['LINK_BROKEN']);
      if (answer.status < 500) throw error;
      request.log.error({ err: error, linkId: id }, 'a link could not be delivered');
      return context.renderPaywall(request, reply, id, answer);
    }
    if (!target) return reply.redirect(`/p/${encodeURIComponent(id)}`, 303);
    // The seller's site need not learn where its buyer came from.
    return reply.header('referrer-policy', 'no-referrer').redirect(target, 303);
  });

  const underWay = new Set<Promise<unknown>>();
  const handler = (request: DownloadRequest, reply: FastifyReply) => {
    const answered = download(context, request, reply);
    underWay.add(answered);
    const forget = () => underWay.delete(answered);
    answered.then(forget, forget);
    return answered;
  };
  // Those that closing cuts off are recorded like all others.
  app.addHook('onClose', () => Promise.allSettled(underWay).then(() => {}));
  // HEAD by name: the one that comes with a GET route would answer a content-length of 0.
  const method = ['GET', 'HEAD'];
  app.route({ method, url: '/download/:token', handler });
  app.route({ method, url: '/download/:token/:name', handler });
};

/**
 * Where this viewer finds the content of a link; null if it is locked.
 * @throws DomainError LINK_BROKEN, NOT_FOUND
 */
async function resolveContentUrl(
  context: Context,
  viewer: Viewer,
  linkId: string,
  query: ContentQuery,
): Promise<string | null> {
  const link = await findLink(context.db, linkId);
  if (!link) return null;
  const access = await accessTo({ db: context.db, viewer }, link);
  if (access.kind !== 'granted') return null;
  requireDeliverable(link);
  const number = query.version === undefined ? undefined : Number(query.version);
  const versions = chooseVersions(link, access.rights, number);
  const [version] = versions;
  if (!version) throw new DomainError('NOT_FOUND', 'This link has no such version for you.');
  if (link.type === 'link') return findUrl(context.db, link, version.number);
  const files = await filesOfVersions(context.db, link, versions);
  const chosen = files[Number(query.file ?? 0)];
  if (!chosen) throw new DomainError('NOT_FOUND', 'This link has no such file.');
  return signDownload(context.signer, { linkId, right: chosen.right }, chosen.file, context.now());
}

async function download(
  context: Context,
  request: DownloadRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const ticket = context.signer.read(request.params.token);
  if (!ticket) {
    throw new DomainError(
      'DOWNLOAD_INVALID',
      'This download link is incomplete or was changed. Open the page it came from, or the personal link in your receipt, to get a new one.',
    );
  }
  const redeemed = await redeemDownload(context, ticket);
  if (redeemed.kind === 'refused') {
    const fresh = await refresh(context, request, ticket);
    if (fresh) return reply.header('cache-control', 'no-store').redirect(fresh, 302);
    throw redeemed.refusal;
  }
  requireChecked(redeemed.file, 'downloaded', ticket.linkId);
  await requireWhole(context.store, redeemed.file, ticket.linkId, DAMAGED);
  return send(context, request, reply, redeemed);
}

const DAMAGED =
  'This file is damaged on our side and cannot be delivered at the moment. What you paid for is still yours: please try again later, or contact support.';

/** An old URL opened by a viewer who may have the file leads to a new one. */
async function refresh(
  context: Context,
  request: FastifyRequest,
  { fileKey }: DownloadTicket,
): Promise<string | null> {
  const viewer = await request.viewer();
  const file = await findFinishedFile(context.db, fileKey);
  return file ? signForViewer(context, viewer, file) : null;
}

async function send(
  { db, store, accel, now }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { file, right }: { file: StoredFile; right: Right },
): Promise<FastifyReply> {
  const startedAt = now();
  const blob = {
    blob: file.blob,
    open: () => store.openForReading(file.blob),
    size: file.size_bytes,
    name: file.name,
    mediaType: file.media_type,
    // A blob is written once, under a unique name, which must not be revealed.
    etag: `"${createHash('sha256').update(file.blob).digest('base64url')}"`,
    lastModified: file.finished_at ?? file.created_at,
    accel,
    direct: store.direct,
  };
  tellPage(request, reply);
  return sendBlob(request, reply, blob, async (report) => {
    if (right.kind !== 'grant') return;
    await recordDelivery(db, {
      grant_id: right.grantId,
      file_key: file.key,
      first_byte: report.firstByte,
      bytes_sent: report.bytesSent,
      outcome: report.outcome,
      started_at: startedAt,
      ended_at: now(),
    });
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
): Promise<string | null> {
  const right = await findFileRight({ db, viewer }, file);
  return right && signDownload(signer, right, file, now());
}
