import { connect } from 'node:net';
import type { Config } from '../../ground/config/read-config.ts';
import { openSmtp } from '../../notices/mails/smtp.ts';
import { type Examined, fault, ok, PATIENCE_MS, reasonOf, warning } from './finding.ts';

/** Seconds: an S3 signature is refused after 15 minutes, a provider's after five. */
const OFF_S = { warning: 30, fault: 300 };

/** Compares this machine's clock with that of a service that signs by time. */
export async function examineClock({ s3, payments }: Config): Examined {
  const provider = payments.kind === 'stripe' ? 'https://api.stripe.com' : null;
  const service = provider ?? s3?.endpoint;
  if (!service) return null;
  const { headers } = await fetch(service, { signal: AbortSignal.timeout(PATIENCE_MS) });
  const theirs = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(theirs)) return null;
  const off = Math.round((Date.now() - theirs) / 1000);
  const { host } = new URL(service);
  const seconds = Math.abs(off).toLocaleString('en');
  const says = `The clock of this machine is ${seconds} s ${off > 0 ? 'ahead of' : 'behind'} that of ${host}.`;
  const remedy = 'Set the clock, and keep it right with NTP: timedatectl set-ntp true';
  if (Math.abs(off) > OFF_S.fault) return fault(says, remedy);
  if (Math.abs(off) > OFF_S.warning) return warning(says, remedy);
  return ok(`The clock agrees with that of ${host}.`);
}

/** @param address who is mailed; nobody without */
export async function examineMail(
  { mail, publicUrl }: Config,
  address: string | undefined,
): Examined {
  if (mail.kind === 'mailbox') {
    if (address === undefined) return ok('Emails stay on this machine, at /mailbox.');
    return fault('No email leaves this machine.', 'Set SMTP_URL and MAIL_FROM.');
  }
  const { host } = new URL(mail.url);
  const smtp = openSmtp(mail);
  try {
    await smtp.verify();
    if (address === undefined) return ok(`The mail server ${host} accepts connections.`);
    const text = `Padlink at ${publicUrl} can send email.\n`;
    await smtp(address, { subject: 'A test of Padlink’s email', text, html: `<p>${text}</p>` });
    return ok(`An email to ${address} was accepted by ${host}. See whether it arrived.`);
  } catch (error) {
    return fault(
      `The mail server ${host} does not take email: ${reasonOf(error)}.`,
      'Correct SMTP_URL and MAIL_FROM, and see that the firewall lets this machine reach the server.',
    );
  } finally {
    await smtp.close();
  }
}

export async function examineScanner({ clamd }: Config): Examined {
  if (clamd === null) return null;
  const answer = await askScanner(clamd);
  if (answer === 'PONG') return ok('The malware scanner answers.');
  return fault(
    `The malware scanner at ${clamd} does not answer: ${answer}.`,
    'Start clamd, or correct CLAMD_SOCKET; until then, new files stay pending.',
  );
}

function askScanner(address: string): Promise<string> {
  const colon = address.lastIndexOf(':');
  const place = address.startsWith('/')
    ? { path: address }
    : { host: address.slice(0, colon), port: Number(address.slice(colon + 1)) };
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(place, () => socket.write('zPING\0'));
  socket.setTimeout(PATIENCE_MS, () => resolve('it says nothing'));
  socket.on('error', (error) => resolve(reasonOf(error)));
  socket.on('data', (data: Buffer) => resolve(data.toString('latin1').replace(/\0$/, '')));
  socket.on('close', () => resolve('it closed the connection'));
  return promise.finally(() => socket.destroy());
}

export async function examineUserPool({ userPool }: Config): Examined {
  if (!userPool) return null;
  const { issuer } = userPool;
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const remedy = 'Correct OIDC_ISSUER, and see that this machine reaches it.';
  const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(
    (error: unknown) => fault(`The user pool cannot be reached: ${reasonOf(error)}.`, remedy),
  );
  if (!(answer instanceof Response)) return answer;
  const found = answer.ok ? ((await answer.json()) as { issuer?: unknown }) : {};
  if (found.issuer === issuer) return ok('The user pool answers.');
  return fault(`There is no user pool of this name at ${address}.`, remedy);
}

export async function examineProvider(
  { payments }: Config,
  findFaults: () => Promise<string[]>,
): Examined {
  if (payments.kind === 'sandbox') {
    return ok('Payments go through the built-in sandbox: no real money moves.');
  }
  try {
    const faults = await findFaults();
    if (faults.length === 0) return ok('The provider’s key and webhook endpoints are in order.');
    return fault(faults.join(' '), 'Correct it in the provider’s dashboard: docs/operating.md.');
  } catch (error) {
    return fault(
      `The payment provider could not be asked: ${reasonOf(error)}.`,
      'Correct STRIPE_SECRET_KEY, and see that this machine reaches api.stripe.com.',
    );
  }
}
