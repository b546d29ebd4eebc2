import { createHmac, randomUUID } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type PeerCertificate } from 'node:tls';
import { fact } from '../../../contract/fact.ts';
import { DAY_MS } from '../../ground/lib/time.ts';
import { type Examined, fault, ok, PATIENCE_MS, reasonOf, warning } from './finding.ts';

/** What is at PUBLIC_URL, as people reach it. */
export type Reached = { kind: 'this' } | { kind: 'nothing'; reason: string } | { kind: 'another' };

/** @param publishableKey which no other installation has; null where the secret is not known */
export async function reach(publicUrl: string, publishableKey: string | null): Promise<Reached> {
  try {
    const answer = await askOnceStarted(`${publicUrl}/config.json`);
    if (UNREACHED.has(answer.status)) {
      return { kind: 'nothing', reason: `${answer.status} ${answer.statusText}`.trim() };
    }
    const found = (await answer.json().catch(() => null)) as { apiKey?: unknown } | null;
    return { kind: found?.apiKey === publishableKey ? 'this' : 'another' };
  } catch (error) {
    return { kind: 'nothing', reason: reasonOf(error) };
  }
}

/** What proxies answer for whom they do not reach. */
const UNREACHED = new Set([502, 503, 504]);
const ASK_AGAIN_MS = 250;

/** Padlink may have been started a moment ago. */
async function askOnceStarted(url: string): Promise<Response> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!UNREACHED.has(answer.status) || Date.now() > until) return answer;
    await answer.body?.cancel();
    await sleep(ASK_AGAIN_MS);
  }
}

export async function examineAddress(url: string, reached: Reached): Examined {
  if (reached.kind === 'this') return ok(fact('{url} leads to this installation.', { url }));
  if (reached.kind === 'another') {
    return fault(
      fact('{url} leads to something else than this installation.', { url }),
      fact(
        'Correct PUBLIC_URL, the DNS record or the proxy; or restart Padlink, if its settings have changed.',
      ),
    );
  }
  return warning(
    fact('Nothing answers at {url}: {reason}.', { url, reason: reached.reason }),
    fact(
      'Start Padlink; if it runs, correct PUBLIC_URL, the DNS record, the proxy or the firewall.',
    ),
  );
}

/** Days. Certificates are renewed well before. */
const SOON = 14;

export async function examineCertificate(publicUrl: string): Examined {
  const { protocol, hostname: host, port } = new URL(publicUrl);
  if (protocol !== 'https:') return null;
  const remedy = fact('Renew it where TLS ends, at the proxy, and have that done automatically.');
  const found = await readCertificate(host, Number(port) || 443);
  if ('reason' in found) {
    const { reason } = found;
    return warning(
      fact('The certificate of {host} could not be read: {reason}.', { host, reason }),
      remedy,
    );
  }
  const days = Math.floor((Date.parse(found.certificate.valid_to) - Date.now()) / DAY_MS);
  if (days < 0) {
    return fault(
      fact('The certificate of {host} ran out {days} days ago.', { host, days: -days }),
      remedy,
    );
  }
  if (found.fault !== null) {
    const { fault: reason } = found;
    return fault(
      fact('The certificate of {host} is not trusted: {reason}.', { host, reason }),
      remedy,
    );
  }
  const says = fact('The certificate of {host} is valid for {days} more days.', { host, days });
  return days < SOON ? warning(says, remedy) : ok(says);
}

type FoundCertificate = { certificate: PeerCertificate; fault: string | null } | { reason: string };

function readCertificate(host: string, port: number): Promise<FoundCertificate> {
  const { promise, resolve } = Promise.withResolvers<FoundCertificate>();
  const named = isIP(host) ? {} : { servername: host };
  const socket = connect({ host, port, ...named, rejectUnauthorized: false }, () => {
    const { authorizationError: error } = socket;
    const untrusted = error ? String(error.message ?? error) : null;
    resolve({ certificate: socket.getPeerCertificate(), fault: untrusted });
  });
  socket.setTimeout(PATIENCE_MS, () => resolve({ reason: 'nothing answers' }));
  socket.on('error', (error) => resolve({ reason: reasonOf(error) }));
  return promise.finally(() => socket.destroy());
}

/** Sends an event as the provider does, of a kind that means nothing. */
export async function examineWebhook(
  publicUrl: string,
  webhookSecret: string,
  live: boolean,
): Examined {
  const created = Math.floor(Date.now() / 1000);
  const event = { object: 'event', type: 'padlink.doctor', livemode: live, created };
  const body = JSON.stringify({
    id: `evt_doctor_${randomUUID()}`,
    ...event,
    data: { object: {} },
  });
  const signature = createHmac('sha256', webhookSecret).update(`${created}.${body}`).digest('hex');
  const answer = await fetch(`${publicUrl}/webhooks/stripe`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'stripe-signature': `t=${created},v1=${signature}`,
    },
    body,
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (answer.ok) return ok(fact('A signed event was taken at /webhooks/stripe.'));
  const { detail = '' } = (await answer.json().catch(() => ({}))) as { detail?: string };
  return fault(
    fact('A signed event was refused at /webhooks/stripe: {answer}', {
      answer: `${answer.status} ${detail}`.trimEnd(),
    }),
    fact(
      'Give the running Padlink the same STRIPE_WEBHOOK_SECRET, and see that the proxy passes the body and the header Stripe-Signature on unchanged.',
    ),
  );
}

/** Announces an upload whose bytes never come: who passes requests on at once has it refused. */
export async function examineUploads(publicUrl: string): Examined {
  const isPassedOn = await ask(`${publicUrl}/uploads/${'0'.repeat(32)}`, {
    method: 'PATCH',
    headers: {
      'content-length': '1000000',
      'content-type': 'application/offset+octet-stream',
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
    },
  });
  if (isPassedOn) return ok('Uploads reach Padlink while they are sent.');
  return warning(
    'The proxy keeps uploads until they are complete.',
    'Turn it off, in nginx by proxy_request_buffering off: docs/operating.md.',
  );
}

export async function examineLive(publicUrl: string): Examined {
  const isOpened = await ask(`${publicUrl}/graphql`, {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      origin: publicUrl,
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
      'sec-websocket-protocol': 'graphql-transport-ws',
      'sec-websocket-version': '13',
    },
    isAnswered: ({ upgraded }) => upgraded,
  });
  if (isOpened) return ok('Pages can be updated live.');
  return warning(
    'The proxy does not pass WebSockets on: pages are not updated live.',
    'Pass the headers Upgrade and Connection on: docs/operating.md.',
  );
}

interface Asked {
  method?: string;
  headers: Record<string, string>;
  isAnswered?(answer: { upgraded: boolean }): boolean;
}

/** Milliseconds. */
const NEXT_BYTE = 50;

/**
 * Sends the head of a request, and its body byte by byte: Caddy passes an answer on once the next comes.
 * @returns whether an answer of the expected kind comes before the end of the body
 */
function ask(url: string, { method = 'GET', headers, isAnswered = () => true }: Asked) {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  const request = send(url, { method, headers, rejectUnauthorized: false });
  const patience = setTimeout(() => resolve(false), PATIENCE_MS);
  request.on('response', () => resolve(isAnswered({ upgraded: false })));
  request.on('upgrade', () => resolve(isAnswered({ upgraded: true })));
  request.on('error', () => resolve(false));
  request.flushHeaders();
  const next = method === 'GET' ? undefined : setInterval(() => request.write('0'), NEXT_BYTE);
  if (!next) request.end();
  return promise.finally(() => {
    clearTimeout(patience);
    clearInterval(next);
    request.destroy();
  });
}
