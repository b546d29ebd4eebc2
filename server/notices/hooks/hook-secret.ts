import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Hook } from './tables.ts';

/** How long the secret before is signed with as well. */
export const EARLIER_SECRET_MS = 24 * 60 * 60 * 1000;

/**
 * The secret of a webhook, as its owner is shown it: made from the installation's, so that a copy
 * of the database tells none.
 */
export function hookSecret(
  secret: string,
  { id, generation }: Pick<Hook, 'id' | 'generation'>,
): string {
  const key = createHmac('sha256', secret).update(`webhook\0${id}\0${generation}`).digest('base64');
  return `whsec_${key}`;
}

/** What the receiver compares: one signature of each secret that is valid now. */
export function signMessage(
  secret: string,
  hook: Pick<Hook, 'id' | 'generation' | 'earlier_until'>,
  message: { id: string; body: string },
  now: number,
): Record<string, string> {
  const generations =
    hook.earlier_until > now ? [hook.generation, hook.generation - 1] : [hook.generation];
  const at = new Date(now);
  const signatures = generations.map((generation) =>
    new Webhook(hookSecret(secret, { id: hook.id, generation })).sign(message.id, at, message.body),
  );
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}
