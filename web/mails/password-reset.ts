import type { CodeInput } from '../../contract/account-mail-input.ts';
import { codeMail, greet } from './code-mail.tsx';
import type { Mail } from './mail.ts';

/** `firstName` is null where nobody has proven the address: a stranger chose the name. */
export function passwordReset(input: CodeInput & { firstName: string | null }): Mail {
  return codeMail({
    subject: `${input.code} is your Padlink code`,
    title: greet('Hello', input.firstName),
    lead: 'Enter this code to choose a new password:',
    code: input.code,
    note: 'If you did not ask for it, you can ignore this mail. Your password stays as it is.',
    origin: input.origin,
  });
}
