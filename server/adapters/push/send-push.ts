import type { PostHook } from '../../notices/hooks/serve-hook.ts';
import { pushKeys } from '../../notices/notifications/push-keys.ts';
import { PUSH_PATIENCE_MS, type SendPush } from '../../notices/notifications/tell-browsers.ts';

interface Options {
  /** The installation's. */
  secret: string;
  publicUrl: string;
  /** Speaks to addresses that anybody may have chosen. */
  post: PostHook;
}

/** Encrypts messages for browsers (RFC 8291), and signs them for their push services (RFC 8292). */
export function createSendPush({ secret, publicUrl, post }: Options): SendPush {
  const vapidDetails = {
    ...pushKeys(secret),
    // Push services take a page or a mailbox; an address of this machine is neither.
    subject: publicUrl.startsWith('https:') ? publicUrl : 'mailto:seller@localhost',
  };
  return async ({ endpoint, p256dh, auth }, message) => {
    // Only where somebody wants it: it takes 10 MB.
    const { default: webPush } = await import('web-push');
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify(message),
      { vapidDetails, TTL: PUSH_PATIENCE_MS / 1000 },
    );
    const { status } = await post(endpoint, { headers, body: body ?? '' });
    if (status === 404 || status === 410) return 'gone';
    return status !== null && status >= 200 && status < 300 ? 'taken' : 'failed';
  };
}
