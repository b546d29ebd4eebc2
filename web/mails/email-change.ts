import type { CodeInput } from '../../contract/account-mail-input.ts';
import { codeMail } from './code-mail.tsx';
import type { Mail } from './mail.ts';

/** Sent to the new address. */
export function emailChange(input: CodeInput): Mail {
  return codeMail({
    subject: `${input.code} is your Padlink code`,
    title: 'Hello',
    lead: 'Enter this code to use this address for your account:',
    code: input.code,
    note: 'If you did not ask for it, you can ignore this mail. Nothing changes without the code.',
    origin: input.origin,
  });
}
