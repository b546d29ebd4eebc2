import type { Mail } from '../../contract/mails.ts';

/** Hands an email over for delivery; rejects if it was not accepted, so that a job can retry. */
export type SendMail = (to: string, mail: Mail) => Promise<void>;
