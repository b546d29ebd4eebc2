import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { eventually } from './eventually.ts';

export type MailServer = {
  /** For SMTP_URL. */
  url: string;
  /** The six digits of the newest mail to the address. */
  readCode(email: string): Promise<string>;
  /** The mails to the address as they came, the newest first. */
  mailsTo(email: string): string[];
  stop(): Promise<void>;
};

/** A mail server on a port, a random one unless it is given, of 127.0.0.1 that keeps what it is given. */
export async function startMailServer({
  knows = () => true,
  port: wanted = 0,
}: {
  knows?: (email: string) => boolean;
  port?: number;
} = {}): Promise<MailServer> {
  const mails: { to: string[]; source: string }[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    closeTimeout: 100,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo({ address }, _session, done) {
      if (knows(address)) return done();
      done(Object.assign(new Error('no such user'), { responseCode: 550 }));
    },
    onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      text(stream).then((source) => {
        mails.unshift({ to, source });
        done();
      }, done);
    },
  });
  smtp.listen(wanted, '127.0.0.1');
  await once(smtp.server, 'listening');
  const { port } = smtp.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    readCode: (email) =>
      eventually(() => {
        const mail = mails.find(({ to }) => to.includes(email));
        // A line of its own, or words around it; never a part of a boundary or an address.
        const code = /(?<![\w.@-])\d{6}(?![\w.@-])/.exec(mail?.source ?? '')?.[0];
        if (!code) throw new Error(`No code was mailed to ${email}.`);
        return code;
      }),
    mailsTo: (email) => mails.filter(({ to }) => to.includes(email)).map(({ source }) => source),
    stop: () => new Promise((resolve) => smtp.close(resolve)),
  };
}
