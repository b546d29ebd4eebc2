export interface Mail {
  subject: string;
  html: string;
  text: string;
}

/** Hands a mail over for delivery; rejects when it was not accepted, so that a job can retry. */
export type SendMail = (to: string, mail: Mail) => Promise<void>;
