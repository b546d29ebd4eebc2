import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Signer } from '../../../ground/lib/signer.ts';

/** How long a browser is known after it last signed in. */
export const DEVICE_LIFETIME_S = 180 * 24 * 60 * 60;
/** Of one browser; who shares it with more is a stranger there again. */
export const MAX_ACCOUNTS_OF_DEVICE = 5;

/** What the cookie of a browser states, signed. It is read where failures are counted, nowhere else. */
type DeviceTicket = z.infer<typeof DEVICE_TICKET>;
export const DEVICE_TICKET = z.object({
  id: z.string(),
  /** The newest first: a hash of each email address, and until when it is known (UTC ms). */
  accounts: z.array(z.object({ of: z.string(), until: z.number() })),
});

export type KnownDevices = ReturnType<typeof createKnownDevices>;

/**
 * Browsers in which somebody signed in to an account before, or entered a code from its mailbox:
 * strangers who use up the tries of the account do not use up theirs.
 */
export function createKnownDevices(
  signer: Signer<DeviceTicket>,
  publicUrl: string,
  now: () => number,
) {
  const secure = publicUrl.startsWith('https:');
  const name = secure ? '__Host-padlink_device' : 'padlink_device';

  function read({ cookies }: FastifyRequest): DeviceTicket | null {
    const ticket = signer.read(cookies[name] ?? '');
    if (!ticket) return null;
    return { ...ticket, accounts: ticket.accounts.filter(({ until }) => until > now()) };
  }

  return {
    /** The id of the browser, if it is known to the account with this email address. */
    find(request: FastifyRequest, email: string): string | null {
      const ticket = read(request);
      const isKnown = ticket?.accounts.some(({ of }) => of === hashOf(ticket.id, email));
      return ticket && isKnown ? ticket.id : null;
    },
    /** Makes the browser known to the account. */
    remember(request: FastifyRequest, reply: FastifyReply, email: string): void {
      const unknown = { id: randomBytes(16).toString('base64url'), accounts: [] };
      const { id, accounts } = read(request) ?? unknown;
      const of = hashOf(id, email);
      const newest = { of, until: now() + DEVICE_LIFETIME_S * 1_000 };
      const others = accounts.filter((account) => account.of !== of);
      const ticket = { id, accounts: [newest, ...others].slice(0, MAX_ACCOUNTS_OF_DEVICE) };
      reply.setCookie(name, signer.sign(ticket), {
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure,
        maxAge: DEVICE_LIFETIME_S,
      });
    },
  };
}

/** Differs from browser to browser, and is too short to carry the address. */
function hashOf(deviceId: string, email: string): string {
  return createHash('sha256').update(`${deviceId}\0${email}`).digest('base64url').slice(0, 22);
}
