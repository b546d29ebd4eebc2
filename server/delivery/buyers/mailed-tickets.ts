import { createSigner, derive, type Signer } from '../../ground/lib/signer.ts';
import { PURCHASES_TICKET, type PurchasesTicket } from './find-purchases.ts';
import { GIFT_TICKET, type GiftTicket } from './given-gift.ts';
import { GRANT_TICKET, type GrantTicket } from './personal-link.ts';
import { RETURN_TICKET, type ReturnTicket } from './return-purchase.ts';

/** What proves, in the links and codes of emails to buyers, that we sent them. */
export interface MailedTickets {
  personalSigner: Signer<GrantTicket>;
  /** Of the address at which a buyer chooses whether to be mailed about new versions. */
  updatesSigner: Signer<GrantTicket>;
  purchasesSigner: Signer<PurchasesTicket>;
  /** Of the address at which the buyer of a gift looks after it. */
  giftSigner: Signer<GiftTicket>;
  /** Of the address at which a buyer gives back what they had bought before. */
  returnSigner: Signer<ReturnTicket>;
  /** Of a code for one more browser, as it is stored. */
  hashCode(grantId: string, code: string): string;
}

export function createMailedTickets(secret: string): MailedTickets {
  const codeSecret = derive(secret, 'access codes');
  return {
    personalSigner: createSigner(secret, 'personal link', GRANT_TICKET),
    updatesSigner: createSigner(secret, 'updates', GRANT_TICKET),
    purchasesSigner: createSigner(secret, 'purchases', PURCHASES_TICKET),
    giftSigner: createSigner(secret, 'gift', GIFT_TICKET),
    returnSigner: createSigner(secret, 'return', RETURN_TICKET),
    hashCode: (grantId, code) => derive(codeSecret, `${grantId} ${code}`),
  };
}
