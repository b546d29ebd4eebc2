import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ApiCall } from '../../edge/http/describe-calls.ts';
import { signedInOnly } from '../../edge/pages/signed-in-only.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { Purchase } from '../../selling/purchases/tables.ts';
import {
  findBoughtPurchase,
  findOwnSale,
  type ReceiptContext,
  signReceipt,
} from './sign-receipt.ts';
import { listReceiptKeys, toPem } from './signing-keys.ts';

type ReceiptRequest = FastifyRequest<{
  Params: { id: string };
  Querystring: { purchase?: string };
}>;

const RECEIPT = { 200: { says: 'As a file.', mediaType: 'text/plain' } };

const CALLS = {
  bought: {
    name: 'getSignedReceipt',
    summary: 'The signed receipt of what was bought; 303 to the page of the link without one.',
    caller: 'viewer',
    query: z.object({ purchase: z.string().optional().describe('Unless the newest.') }),
    answers: RECEIPT,
  },
  sold: {
    name: 'getSignedReceiptOfSale',
    summary: 'The signed receipt of one of your sales.',
    caller: 'session',
    answers: RECEIPT,
  },
  keys: {
    name: 'getReceiptKeys',
    summary: 'The keys that sign receipts.',
    answers: { 200: { says: 'A JSON Web Key Set.', mediaType: 'application/jwk-set+json' } },
  },
  key: {
    name: 'getReceiptKey',
    summary: 'One of them.',
    answers: { 200: { says: 'As PEM.', mediaType: 'application/x-pem-file' } },
  },
} satisfies Record<string, ApiCall>;

/** Signed receipts for buyers and sellers, and the keys by which anybody verifies them. */
export const signedReceiptRoutes: FastifyPluginAsync<ReceiptContext> = async (app, context) => {
  const { db } = context;

  app.get(
    '/p/:id/receipt',
    { config: { api: CALLS.bought } },
    async (request: ReceiptRequest, reply) => {
      const { params, query } = request;
      const viewer = await request.viewer();
      reply.header('cache-control', 'private, no-store, no-transform');
      const purchase = await findBoughtPurchase({ db, viewer }, params.id, query.purchase);
      if (!purchase) return reply.redirect(`/p/${encodeURIComponent(params.id)}`, 303);
      return send(reply, purchase);
    },
  );

  app.get(
    '/dashboard/sales/:id/receipt',
    { onRequest: signedInOnly, config: { api: CALLS.sold } },
    async (request: ReceiptRequest, reply) => {
      const { user } = await request.viewer();
      reply.header('cache-control', 'private, no-store, no-transform');
      const sale = user && (await findOwnSale(db, user.id, request.params.id));
      if (!sale) throw new DomainError('NOT_FOUND', 'You have no sale with this ID.');
      return send(reply, sale);
    },
  );

  async function send(reply: FastifyReply, purchase: Purchase): Promise<FastifyReply> {
    const receipt = await signReceipt(context, purchase);
    const name = `padlink-receipt-${purchase.id}.txt`;
    return reply
      .type('text/plain; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(receipt);
  }

  app.get(
    '/.well-known/padlink-receipt-keys.json',
    { config: { api: CALLS.keys } },
    async (_request, reply) =>
      reply
        .type('application/jwk-set+json')
        .header('cache-control', 'public, max-age=300')
        .send(Buffer.from(JSON.stringify({ keys: await listReceiptKeys(db) }, null, 2))),
  );

  app.get(
    '/.well-known/padlink-receipt-keys/:id.pem',
    { config: { api: CALLS.key } },
    async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
      const keys = await listReceiptKeys(db);
      const key = keys.find(({ kid }) => kid === request.params.id);
      if (!key) throw new DomainError('NOT_FOUND', 'This site has no such key.');
      return reply
        .type('application/x-pem-file')
        .header('cache-control', 'public, max-age=86400')
        .send(toPem(key));
    },
  );
};
