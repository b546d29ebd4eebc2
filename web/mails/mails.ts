import { accountExists } from './account-exists.tsx';
import { passwordReset } from './password-reset.ts';
import { receipt } from './receipt.tsx';
import { verification } from './verification.ts';

/** Every mail the product sends. */
export const mails = { accountExists, verification, passwordReset, receipt };
