import { passwordReset } from './password-reset.ts';
import { receipt } from './receipt.tsx';
import { verification } from './verification.ts';

/** Every mail the product sends. */
export const mails = { verification, passwordReset, receipt };
