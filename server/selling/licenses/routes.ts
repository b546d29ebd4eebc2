import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  LINK_ID_PATTERN,
  MAX_DEVICE_LENGTH,
  MAX_LICENSE_KEY_LENGTH,
} from '../../../contract/limits.ts';
import type { ApiCall } from '../../edge/http/describe-calls.ts';
import { addressKey, type RateLimits } from '../../edge/http/rate-limits.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { isoTime } from '../../ground/lib/time.ts';
import { deactivateLicenseKey, type Verdict, verifyLicenseKey } from './verify-key.ts';

interface Context extends DatabaseContext {
  limits: RateLimits;
}

/**
 * POST /licenses/verify and /licenses/deactivate: what a program asks that was sold, wherever it runs. Who
 * has the key needs no other right, and cookies are not read.
 */
export const licenseRoutes: FastifyPluginAsync<Context> = async (app, context) => {
  const ask = (linkId: string, key: string, { ip }: FastifyRequest) => ({
    linkId,
    key,
    countGuess: () => context.limits.take('licenseGuesses', addressKey(ip)),
  });

  app.post(
    '/licenses/verify',
    { bodyLimit: MAX_BODY_BYTES, config: { api: VERIFY } },
    async (request, reply) => {
      const body = VERIFIED.safeParse(request.body);
      if (!body.success) throw malformed('{"link": "…", "key": "…"}');
      const { link, key, activate = null } = body.data;
      return answer(
        reply,
        link,
        await verifyLicenseKey(context, ask(link, key, request), activate),
      );
    },
  );

  app.post(
    '/licenses/deactivate',
    { bodyLimit: MAX_BODY_BYTES, config: { api: DEACTIVATE } },
    async (request, reply) => {
      const body = DEACTIVATED.safeParse(request.body);
      if (!body.success) throw malformed('{"link": "…", "key": "…", "device": "…"}');
      const { link, key, device } = body.data;
      return answer(
        reply,
        link,
        await deactivateLicenseKey(context, ask(link, key, request), device),
      );
    },
  );

  // Pages of other origins ask before they send JSON.
  for (const path of ['/licenses/verify', '/licenses/deactivate']) {
    app.options(path, (_request, reply) =>
      openToAll(reply)
        .header('access-control-allow-methods', 'POST')
        .header('access-control-allow-headers', 'content-type')
        .header('access-control-max-age', '86400')
        .status(204)
        .send(),
    );
  }
};

const MAX_BODY_BYTES = 4 * 1024;

const malformed = (example: string) => new DomainError('INVALID_INPUT', `Send ${example}.`);

const openToAll = (reply: FastifyReply) => reply.header('access-control-allow-origin', '*');

function answer(reply: FastifyReply, link: string, verdict: Verdict): FastifyReply {
  openToAll(reply).header('cache-control', 'no-store');
  if (!verdict.valid) return reply.send(verdict);
  return reply.send({ link, ...verdict, purchasedAt: isoTime(verdict.purchasedAt) });
}

const DEVICE = z
  .string()
  .trim()
  .min(1)
  .max(MAX_DEVICE_LENGTH)
  .describe('What the program calls it: always the same for the same one.');

const KEY = {
  link: z.string().regex(LINK_ID_PATTERN).describe('The id of the link that was bought.'),
  key: z
    .string()
    .min(1)
    .max(2 * MAX_LICENSE_KEY_LENGTH)
    .describe('As its buyer typed it; in generated ones case, spaces and hyphens do not matter.'),
};

const VERIFIED = z.object({
  ...KEY,
  activate: DEVICE.nullish().describe(
    'A device to activate the key on; again and again, it counts once.',
  ),
});

const DEACTIVATED = z.object({ ...KEY, device: DEVICE });

const VERDICT = z.object({
  valid: z.boolean(),
  reason: z
    .enum(['unknown', 'refunded', 'suspended', 'taken-down', 'too-many-activations'])
    .optional()
    .describe('Why it is not valid; suspended while the payment is disputed.'),
  link: z.string().optional(),
  activations: z.int().optional().describe('On how many devices it is active.'),
  maxActivations: z.int().nullish().describe('On how many it may be; null for any number.'),
  purchasedAt: z.iso.datetime().optional(),
  test: z.boolean().optional().describe('True where no real money was paid.'),
});

const SAYS = { 200: { says: 'What the key is worth now.', json: VERDICT } };

const VERIFY: ApiCall = {
  name: 'verifyLicense',
  summary: 'Whether a license key is valid, and activates it on a device if asked to.',
  body: VERIFIED,
  answers: SAYS,
};

const DEACTIVATE: ApiCall = {
  name: 'deactivateLicense',
  summary: 'Frees a device of a license key for another one.',
  body: DEACTIVATED,
  answers: SAYS,
};
