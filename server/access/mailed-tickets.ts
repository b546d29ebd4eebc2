import { z } from 'zod';
import { createSigner, derive, type Signer } from '../lib/signer.ts';
import { PURCHASES_TICKET, type PurchasesTicket } from './find-purchases.ts';
import { PERSONAL_TICKET, type PersonalTicket } from './personal-link.ts';

/** What an address carries at which a buyer chooses whether to be mailed about new versions. */
export type UpdatesTicket = z.infer<typeof UPDATES_TICKET>;
const UPDATES_TICKET = z.object({ grantId: z.string() });

/** What proves, in the links and codes of emails to buyers, that we sent them. */
export interface MailedTickets {
  personalSigner: Signer<PersonalTicket>;
  updatesSigner: Signer<UpdatesTicket>;
  purchasesSigner: Signer<PurchasesTicket>;
  /** Of a code for one more browser, as it is stored. */
  hashCode(grantId: string, code: string): string;
}

export function createMailedTickets(secret: string): MailedTickets {
  const codeSecret = derive(secret, 'access codes');
  return {
    personalSigner: createSigner(secret, 'personal link', PERSONAL_TICKET),
    updatesSigner: createSigner(secret, 'updates', UPDATES_TICKET),
    purchasesSigner: createSigner(secret, 'purchases', PURCHASES_TICKET),
    hashCode: (grantId, code) => derive(codeSecret, `${grantId} ${code}`),
  };
}
