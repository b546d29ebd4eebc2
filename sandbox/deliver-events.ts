import { createHmac } from 'node:crypto';
import type { Books } from './books.ts';
import {
  DESTINATIONS,
  type EventOrigin,
  findDestination,
} from './operations/event-destinations.ts';
import type { SandboxLog } from './scope.ts';
import type { Delivery } from './store/event-deliveries.ts';

/** As many requests at a time; beyond it events wait for each other, but keep no order. */
const PARALLEL = 16;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 60 * 60 * 1000;
/** The provider, too, tries for up to three days. */
const GIVE_UP_AFTER_MS = 3 * 24 * 60 * 60 * 1000;

/** The secrets that events are signed with (`whsec_…`), by where they come from. */
export type WebhookSecrets = Record<EventOrigin, string>;

/**
 * Posts queued events to the product until it answers 2xx, as webhooks of the provider do: at once,
 * whatever they were waiting for, and to whoever listens at the webhook's address by now.
 * @returns ends it, and resolves when no request is in progress anymore
 */
export function deliverEvents(
  books: Books,
  options: { webhookUrl: () => string; webhookSecrets: WebhookSecrets; log: SandboxLog },
): () => Promise<void> {
  const underWay = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  function pump(): void {
    clearTimeout(timer);
    if (stopping.signal.aborted) return;
    // Those under way are due as well.
    for (const id of books.deliveries.due(Date.now(), 2 * PARALLEL)) {
      if (underWay.size >= PARALLEL) return;
      const delivery = underWay.has(id) ? undefined : books.deliveries.find(id);
      if (delivery) underWay.set(id, deliver(delivery));
    }
    const next = books.deliveries.nextAfter(Date.now());
    if (next !== undefined) timer = setTimeout(pump, next - Date.now());
  }

  async function deliver(delivery: Delivery): Promise<void> {
    const { event } = delivery;
    const origin = originOf(event);
    const { created } = books.read((scope) => findDestination(scope, DESTINATIONS[origin]));
    const failure = await postEvent(contentOf(event), {
      url: created?.url ?? options.webhookUrl(),
      secret: created?.secret ?? options.webhookSecrets[origin],
      signal: stopping.signal,
    });
    underWay.delete(event.id);
    if (stopping.signal.aborted) return;
    if (failure === undefined) return finish(delivery);
    putOff(delivery, failure);
    pump();
  }

  /** Its commit has the next one sent. */
  function finish({ event }: Delivery): void {
    books.transact((scope) => {
      if (event.object === 'event') {
        const { objects } = scope.forAccount(event.account ?? null);
        objects.update('event', { ...event, pending_webhooks: 0 });
      }
      books.deliveries.remove(event.id);
    });
  }

  function putOff({ event, attempts, createdMs }: Delivery, failure: string): void {
    const subject = { event: event.id, type: event.type, attempts: attempts + 1, failure };
    if (Date.now() - createdMs > GIVE_UP_AFTER_MS) {
      books.deliveries.remove(event.id);
      options.log.error(subject, 'sandbox: a webhook was given up');
      return;
    }
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** attempts, LONGEST_RETRY_MS);
    books.deliveries.retryAt(event.id, Date.now() + waitMs);
    options.log.warn({ ...subject, waitMs }, 'sandbox: a webhook failed and will be tried again');
  }

  books.deliveries.hurry(Date.now());
  const forget = books.onCommit(pump);
  pump();
  return async () => {
    forget();
    stopping.abort();
    clearTimeout(timer);
    await Promise.all(underWay.values());
  };
}

function originOf(event: Delivery['event']): EventOrigin {
  if (event.object === 'v2.core.event') return 'thin';
  return event.account ? 'connected' : 'platform';
}

/** A thin event says what happened to which object, and nothing of how that is now. */
function contentOf(event: Delivery['event']): object {
  if (event.object === 'event') return event;
  const { data: _left, ...sent } = event;
  return sent;
}

const TIMEOUT_MS = 10_000;

/** Posts one signed event; answers why it was not taken, or undefined when it was. */
async function postEvent(
  event: object,
  { url, secret, signal }: { url: string; secret: string; signal: AbortSignal },
): Promise<string | undefined> {
  const body = JSON.stringify(event, null, 2);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': signPayload(body, secret, Math.floor(Date.now() / 1000)),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.arrayBuffer();
    return response.ok ? undefined : `status ${response.status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * The value of the `Stripe-Signature` header: the moment in unix seconds and the HMAC of it and the
 * body (https://docs.stripe.com/webhooks#verify-manually).
 */
function signPayload(payload: string, secret: string, now: number): string {
  const signature = createHmac('sha256', secret).update(`${now}.${payload}`).digest('hex');
  return `t=${now},v1=${signature}`;
}
