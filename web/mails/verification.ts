import type { CodeInput } from '../../contract/account-mail-input.ts';
import { codeMail } from './code-mail.tsx';
import type { Mail } from './mail.ts';

/** Sent at sign-up, and when somebody signs in with an address not yet confirmed. */
export function verification(input: CodeInput): Mail {
  return codeMail({
    subject: `${input.code} is your Padlink code`,
    title: 'Welcome',
    lead: 'Enter this code to confirm your e-mail address:',
    code: input.code,
    note: 'If you did not sign up, you can ignore this mail.',
    origin: input.origin,
  });
}
