import type { RemainingKeys } from '../../../contract/account-mail-input.ts';

type CodePurpose = 'email-verification' | 'forget-password' | 'change-email';

/** What the owner of an account is told, whoever caused it. */
export type AccountNotice =
  | { kind: 'account-exists' }
  | { kind: 'password-changed'; byCode: boolean; remaining: RemainingKeys }
  | { kind: 'email-changed'; newEmail: string }
  | { kind: 'account-deleted' }
  | { kind: 'two-factor-off' }
  | { kind: 'passkey-added' }
  | { kind: 'secret-key-created'; name: string };

/** The mails of the accounts. Each rejects when it was not accepted, so that it is tried again. */
export interface AccountMails {
  /** Mails a six-digit code; `firstName` only to an address that its owner has proven. */
  sendCode(to: string, code: string, purpose: CodePurpose, firstName: string | null): Promise<void>;
  sendNotice(to: string, notice: AccountNotice, firstName: string): Promise<void>;
}
