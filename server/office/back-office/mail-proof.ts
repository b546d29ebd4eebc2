import { randomInt } from 'node:crypto';
import { fact } from '../../../contract/fact.ts';
import { readInstallation, writeInstallation } from '../../ground/database/installation.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import type { SendLetter } from '../../ground/lib/letter.ts';
import { derive } from '../../ground/lib/signer.ts';
import { MINUTE_MS } from '../../ground/lib/time.ts';
import type { User } from '../../ground/lib/viewer.ts';

interface Context extends DatabaseContext {
  secret: string;
  mail: { kind: 'mailbox' } | { kind: 'smtp'; url: string; from: string };
  sendLetter: SendLetter;
}

export type MailProof = ReturnType<typeof createMailProof>;

const CODE_MS = 10 * MINUTE_MS;

/**
 * Proves that mail arrives: an operator is mailed a code and enters it. `mail-code` of the installation
 * has a hash of the newest code and when it expires, `mail-proof` the settings by which one came
 * back, hashed as well, and when: other settings are proven anew.
 */
export function createMailProof({ db, now, secret, mail, sendLetter }: Context) {
  const settings = derive(secret, `mail ${mail.kind === 'smtp' ? `${mail.url} ${mail.from}` : ''}`);
  const hashOf = (code: string) => derive(secret, `code by mail ${settings} ${code}`);
  return {
    /** UTC milliseconds; null where no code has come back. */
    async provenAt(): Promise<number | null> {
      const [proven, at] = (await readInstallation(db, 'mail-proof'))?.split(' ') ?? [];
      return proven === settings ? Number(at) : null;
    },
    /** @throws DomainError MAIL_REFUSED with what the mail server says */
    async sendCode({ email: to, language }: Pick<User, 'email' | 'language'>): Promise<void> {
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      await writeInstallation(db, 'mail-code', `${hashOf(code)} ${now() + CODE_MS}`);
      try {
        await sendLetter({ to, mail: 'mailProof', facts: { language, code } });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        const said = fact('The mail server did not take the email: {reason}', { reason });
        throw new DomainError('MAIL_REFUSED', said, { cause: error });
      }
    },
    /** @throws DomainError INVALID_INPUT for any other than the newest code, and once it has expired */
    async enterCode(code: string): Promise<void> {
      const [hash, until] = (await readInstallation(db, 'mail-code'))?.split(' ') ?? [];
      if (hash !== hashOf(code) || now() >= Number(until)) {
        throw new DomainError(
          'INVALID_INPUT',
          fact('This code is wrong or has expired. Check it, or have a new one sent.'),
        );
      }
      await writeInstallation(db, 'mail-proof', `${settings} ${now()}`);
    },
  };
}
