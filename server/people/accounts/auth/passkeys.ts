import { passkey } from '@better-auth/passkey';
import type { AuthContext, BetterAuthPlugin, GenericEndpointContext } from 'better-auth';
import {
  APIError,
  createAuthEndpoint,
  freshSessionMiddleware,
  isAPIError,
  sessionMiddleware,
} from 'better-auth/api';
import { z } from 'zod';
import type { PasskeyDetails } from '../../../../contract/account-details.ts';
import { onPath } from './hooks.ts';

interface Passkey {
  id: string;
  userId: string;
  name: string;
  createdAt: Date;
  domain: string | null;
}

/**
 * Sign-in with a passkey instead of the password. The device verifies its user, so that a passkey
 * counts as both factors.
 * @param publicUrl the origin that passkeys are bound to.
 */
export function passkeys(publicUrl: string) {
  const { origin, hostname } = new URL(publicUrl);
  const plugin = passkey({
    rpID: hostname,
    origin,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    advanced: { webAuthnChallengeCookie: 'passkey' },
    registration: {
      async afterVerification({ ctx, verification, clientData }) {
        refuseUnverifiedUser(verification.registrationInfo?.userVerified);
        if (!(await findByCredential(ctx, clientData.id))) return;
        throw refusal('BAD_REQUEST', 'PREVIOUSLY_REGISTERED');
      },
    },
    authentication: {
      async afterVerification({ ctx, verification, clientData }) {
        refuseUnverifiedUser(verification.authenticationInfo.userVerified);
        const held = await findByCredential(ctx, clientData.id);
        const user = held && (await ctx.context.internalAdapter.findUserById(held.userId));
        if (user?.emailVerified) return;
        throw refusal('FORBIDDEN', 'ADDRESS_NOT_CONFIRMED');
      },
    },
  });
  return {
    ...plugin,
    schema: { passkey: { fields: { ...plugin.schema.passkey.fields, ...domainOf(hostname) } } },
    endpoints: { ...plugin.endpoints, listPasskeys: listOwnPasskeys, updatePasskey, deletePasskey },
    hooks: { after: [demandUserVerification, presentRegistration] },
  } satisfies BetterAuthPlugin;
}

/** What a passkey is made for: at another address, browsers do not offer it. */
const domainOf = (hostname: string) =>
  ({
    domain: { type: 'string', required: false, input: false, defaultValue: () => hostname },
  }) as const;

/** The oldest first. */
export async function listPasskeys(
  { adapter }: { adapter: Pick<AuthContext['adapter'], 'findMany'> },
  userId: string,
): Promise<PasskeyDetails[]> {
  const held = await adapter.findMany<Passkey>({
    model: 'passkey',
    where: [{ field: 'userId', value: userId }],
    sortBy: { field: 'createdAt', direction: 'asc' },
  });
  return held.map(present);
}

const listOwnPasskeys = createAuthEndpoint(
  '/passkey/list-user-passkeys',
  { method: 'GET', use: [sessionMiddleware] },
  async (ctx) => ctx.json(await listPasskeys(ctx.context, ctx.context.session.user.id)),
);

/** It opens nothing that was shut: any session may, whenever it began. */
const updatePasskey = createAuthEndpoint(
  '/passkey/update-passkey',
  {
    method: 'POST',
    body: z.object({ id: z.string(), name: z.string() }),
    use: [sessionMiddleware],
  },
  async (ctx) => {
    const renamed = await ctx.context.adapter.update<Passkey>({
      model: 'passkey',
      where: ownPasskey(ctx.body.id, ctx.context.session.user.id),
      update: { name: ctx.body.name },
    });
    if (renamed) return ctx.json(present(renamed));
    throw refusal('NOT_FOUND', 'PASSKEY_NOT_FOUND');
  },
);

/** Like adding one, it requires a fresh session: an account may have no password to ask for. */
const deletePasskey = createAuthEndpoint(
  '/passkey/delete-passkey',
  { method: 'POST', body: z.object({ id: z.string() }), use: [freshSessionMiddleware] },
  async (ctx) => {
    const removed = await ctx.context.adapter.deleteMany({
      model: 'passkey',
      where: ownPasskey(ctx.body.id, ctx.context.session.user.id),
    });
    if (removed > 0) return ctx.json({ status: true });
    throw refusal('NOT_FOUND', 'PASSKEY_NOT_FOUND');
  },
);

const ownPasskey = (id: string, userId: string) => [
  { field: 'id', value: id },
  { field: 'userId', value: userId },
];

/** The routes put it into words by its code. */
const refusal = (status: Parameters<typeof APIError.from>[0], code: string) =>
  APIError.from(status, { code, message: code });

/** The library only prefers what the check of the answer demands. */
const demandUserVerification = onPath('/passkey/generate-authenticate-options', async (ctx) => {
  const options = ctx.context.returned;
  if (isAPIError(options)) return;
  return ctx.json({ ...(options as object), userVerification: 'required' });
});

const presentRegistration = onPath('/passkey/verify-registration', async (ctx) => {
  const answer = ctx.context.returned;
  if (isAPIError(answer)) return;
  return ctx.json(present(answer as Passkey));
});

/** What the owner can see of a passkey. */
function present({ id, name, createdAt, domain }: Passkey): PasskeyDetails {
  return { id, name, createdAt: createdAt.toISOString(), domain };
}

function findByCredential(ctx: GenericEndpointContext, credentialId: string) {
  return ctx.context.adapter.findOne<Passkey>({
    model: 'passkey',
    where: [{ field: 'credentialID', value: credentialId }],
  });
}

function refuseUnverifiedUser(verified: boolean | undefined): void {
  if (!verified) throw refusal('UNAUTHORIZED', 'USER_NOT_VERIFIED');
}
