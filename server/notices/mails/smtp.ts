import type { Transporter } from 'nodemailer';
import type { Mail } from '../../../contract/mails.ts';
import { deliverableAddress } from '../../ground/lib/canonical-address.ts';

/** Hands an email over for delivery; rejects if it was not accepted, so that a job can retry. */
export type SendMail = (to: string, mail: Mail) => Promise<void>;

/** Milliseconds. A server that hangs must not hold a job until its lock runs out. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

interface Options {
  url: string;
  from: string;
  /** Where replies go; null: to the sender. */
  replyTo: string | null;
  /** Sends nothing unencrypted. What the URL says about TLS takes precedence. */
  requireTls: boolean;
}

/**
 * Sends through an SMTP server; connections are kept for the next email. The library is loaded for
 * the first one, because it takes 6 MiB.
 */
export function openSmtp({
  url,
  from,
  replyTo,
  requireTls,
}: Options): SendMail & { verify(): Promise<void>; close(): Promise<void> } {
  const options = { url, pool: true, requireTLS: requireTls, ...TIMEOUTS } as const;
  let opening: Promise<Transporter> | undefined;
  async function open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    return createTransport(options, { from, ...(replyTo && { replyTo }) });
  }
  const transport = () => {
    opening ??= open();
    return opening;
  };
  const send: SendMail = async (to, { subject, text, html, unsubscribeUrl }) => {
    try {
      const headers = unsubscribeUrl && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      };
      const address = deliverableAddress(to);
      const message = { to: { name: '', address }, subject, text, html };
      await (await transport()).sendMail({ ...message, ...(headers && { headers }) });
    } catch (error) {
      throw requireTls ? explainTls(error) : error;
    }
  };
  return Object.assign(send, {
    /** Connects and signs in. @throws what the server or the network says */
    verify: async () => void (await (await transport()).verify()),
    close: async () => (await opening)?.close(),
  });
}

/** Says what to do if the server cannot encrypt. */
function explainTls(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === 'ETLS')) return error;
  return new Error(
    `The mail server cannot be reached over TLS, and no email is sent unencrypted: ${error.message}. Use a server that supports it, by smtps:// or STARTTLS, or add ?requireTLS=false to SMTP_URL if nobody can eavesdrop on the connection.`,
    { cause: error },
  );
}
