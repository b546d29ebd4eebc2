import type { Subscription } from '../harness/start-push-service.ts';

/**
 * In a page: lets the browser subscribe without the service of its maker, to another one. It
 * remembers, as browsers do.
 */
export function subscribeToPush({ endpoint, p256dh, auth }: Subscription): void {
  const kept = 'subscribed with';
  const find = () => {
    const key = localStorage.getItem(kept);
    if (key === null) return null;
    const bytes = Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
      letter.charCodeAt(0),
    );
    return {
      endpoint,
      options: { applicationServerKey: bytes.buffer },
      toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
      async unsubscribe() {
        localStorage.removeItem(kept);
        return true;
      },
    };
  };
  const manager = {
    getSubscription: async () => find(),
    async subscribe(wanted: { applicationServerKey: string }) {
      localStorage.setItem(kept, wanted.applicationServerKey);
      return find();
    },
  };
  Object.assign(PushManager.prototype, manager);
}
