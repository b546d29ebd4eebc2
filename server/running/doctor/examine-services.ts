import { connect } from 'node:net';
import { sql } from 'kysely';
import { type Fact, fact } from '../../../contract/fact.ts';
import type { Config } from '../../ground/config/read-config.ts';
import { dialectOf } from '../../ground/database/dialect.ts';
import type { Database } from '../../ground/database/tables.ts';
import { openSmtp } from '../../notices/mails/smtp.ts';
import {
  type Examined,
  type Finding,
  fault,
  ok,
  PATIENCE_MS,
  reasonOf,
  warning,
} from './finding.ts';

/** Seconds: an S3 signature is refused after 15 minutes, a provider's after five. */
const OFF_S = { warning: 5, fault: 300 };
/** A header tells the time in whole seconds: on average, half of one is over. */
const HALF_SECOND_MS = 500;

/** Compares this machine's clock with that of a service that signs by time. */
export async function examineClock({ s3, payments }: Config): Examined {
  const provider = payments.kind === 'stripe' ? 'https://api.stripe.com' : null;
  const service = provider ?? s3?.endpoint;
  if (!service) return null;
  return compareClocks(new URL(service).host, async () => {
    const { headers } = await fetch(service, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return Date.parse(headers.get('date') ?? '') + HALF_SECOND_MS;
  });
}

/** The same with PostgreSQL's clock, which is another machine's where that one is. */
export async function examineDatabaseClock(db: Database): Examined {
  if (dialectOf(db) === 'sqlite') return null;
  return compareClocks('PostgreSQL', async () => {
    const { rows } = await sql<{ ms: number | string }>`
      select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db);
    return Number(rows[0]?.ms);
  });
}

/** @param read UTC milliseconds by the other clock, told at some time between question and answer */
async function compareClocks(host: string, read: () => Promise<number>): Promise<Finding | null> {
  const asked = Date.now();
  const theirs = await read();
  const ours = (asked + Date.now()) / 2;
  if (Number.isNaN(theirs)) return null;
  const off = Math.round((ours - theirs) / 1000);
  const given = { seconds: Math.abs(off), host };
  const says =
    off > 0
      ? fact('The clock of this machine is {seconds} s ahead of that of {host}.', given)
      : fact('The clock of this machine is {seconds} s behind that of {host}.', given);
  const remedy = fact('Set the clock, and keep it right with NTP: timedatectl set-ntp true');
  if (Math.abs(off) > OFF_S.fault) return fault(says, remedy);
  if (Math.abs(off) > OFF_S.warning) return warning(says, remedy);
  return ok(fact('The clock agrees with that of {host}.', { host }));
}

/** @param address who is mailed; nobody without */
export async function examineMail(
  { mail, publicUrl }: Config,
  address: string | undefined,
): Examined {
  if (mail.kind === 'mailbox') {
    if (address === undefined) return ok(fact('Emails stay on this machine, at /mailbox.'));
    return fault('No email leaves this machine.', 'Set SMTP_URL and MAIL_FROM.');
  }
  const { host } = new URL(mail.url);
  const smtp = openSmtp(mail);
  try {
    await smtp.verify();
    if (address === undefined)
      return ok(fact('The mail server {host} accepts connections.', { host }));
    const text = `Padlink at ${publicUrl} can send email.\n`;
    await smtp(address, { subject: 'A test of Padlink’s email', text, html: `<p>${text}</p>` });
    return ok(`An email to ${address} was accepted by ${host}. See whether it arrived.`);
  } catch (error) {
    return fault(
      fact('The mail server {host} does not take email: {reason}.', {
        host,
        reason: reasonOf(error),
      }),
      fact(
        'Correct SMTP_URL and MAIL_FROM, and see that the firewall lets this machine reach the server.',
      ),
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
  findFaults: () => Promise<Fact[]>,
): Examined {
  if (payments.kind === 'sandbox') {
    return ok('Payments go through the built-in sandbox: no real money moves.');
  }
  try {
    const [first, ...others] = await findFaults();
    if (!first) return ok(fact('The provider’s key and webhook endpoints are in order.'));
    const all = others.reduce((list, next) => fact('{list} {next}', { list, next }), first);
    return fault(all, fact('Correct it in the provider’s dashboard: docs/operating.md.'));
  } catch (error) {
    return fault(
      fact('The payment provider could not be asked: {reason}.', { reason: reasonOf(error) }),
      fact('Correct STRIPE_SECRET_KEY, and see that this machine reaches api.stripe.com.'),
    );
  }
}
