import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { holdsControls } from '../../../contract/characters.ts';
import {
  LINK_ID_PATTERN,
  MAX_DEVICE_LENGTH,
  MAX_LICENSE_KEY_LENGTH,
} from '../../../contract/limits.ts';
import type { ApiCall } from '../../edge/http/describe-calls.ts';
import { answerProblem, isFault, toProblem } from '../../edge/http/errors.ts';
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
  const ask = (linkId: string, key: string, ip: string) => ({
    linkId,
    key,
    countGuess: () =>
      context.limits.take('licenseGuesses', `${addressKey(ip)} ${linkId}`, addressKey(ip)),
    countChange: (keyId: string) => context.limits.take('licenseChanges', keyId),
  });
  const verify = async ({ link, key, activate = null }: Verified, ip: string) =>
    describe(link, await verifyLicenseKey(context, ask(link, key, ip), activate));

  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(NOT_KEPT);
    done();
  });

  app.post(
    '/licenses/verify',
    { bodyLimit: MAX_BODY_BYTES, config: { api: VERIFY } },
    async (request, reply) => {
      const body = VERIFIED.safeParse(request.body);
      if (!body.success) throw malformed('{"link": "…", "key": "…"}');
      return reply.send(await verify(body.data, request.ip));
    },
  );
  // Programs ask at each start: most of them before routes and their hooks.
  app.answerPosts('/licenses/verify', ({ id, ip, body }) => {
    const { data } = VERIFIED.safeParse(body);
    if (!data) return null;
    return () =>
      verify(data, ip).then(
        (verdict) => ({ status: 200, headers: NOT_KEPT, text: JSON.stringify(verdict) }),
        (error: unknown) => {
          if (isFault(toProblem(error))) app.log.error({ reqId: id, err: error }, 'not verified');
          return answerProblem(error, id);
        },
      );
  });

  app.post(
    '/licenses/deactivate',
    { bodyLimit: MAX_BODY_BYTES, config: { api: DEACTIVATE } },
    async (request, reply) => {
      const body = DEACTIVATED.safeParse(request.body);
      if (!body.success) throw malformed('{"link": "…", "key": "…", "device": "…"}');
      const { link, key, device } = body.data;
      const asked = ask(link, key, request.ip);
      return reply.send(describe(link, await deactivateLicenseKey(context, asked, device)));
    },
  );

  // Pages of other origins ask before they send JSON.
  for (const path of ['/licenses/verify', '/licenses/deactivate']) {
    app.options(path, (_request, reply) =>
      reply
        .header('access-control-allow-methods', 'POST')
        .header('access-control-allow-headers', 'content-type')
        .header('access-control-max-age', '86400')
        .status(204)
        .send(),
    );
  }
};

const MAX_BODY_BYTES = 4 * 1024;
const NOT_KEPT = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' };

const malformed = (example: string) => new DomainError('INVALID_INPUT', `Send ${example}.`);

const describe = (link: string, verdict: Verdict) =>
  verdict.valid ? { link, ...verdict, purchasedAt: isoTime(verdict.purchasedAt) } : verdict;

const DEVICE = z
  .string()
  .trim()
  .min(1)
  .max(MAX_DEVICE_LENGTH)
  .refine((name) => !holdsControls(name))
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

type Verified = z.infer<typeof VERIFIED>;

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
