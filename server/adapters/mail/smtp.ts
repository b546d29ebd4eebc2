import { createTransport } from 'nodemailer';
import type { SendMail } from '../../domain/notifications/mail.ts';

/** Milliseconds. A server that hangs must not hold a job until its lock runs out. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Sends through an SMTP server; connections are kept for the next mail. */
export function openSmtp(url: string, from: string): SendMail & { close(): void } {
  const transport = createTransport({ url, pool: true, ...TIMEOUTS }, { from });
  const send: SendMail = async (to, { subject, text, html }) => {
    await transport.sendMail({ to: { name: '', address: to }, subject, text, html });
  };
  return Object.assign(send, { close: () => transport.close() });
}
