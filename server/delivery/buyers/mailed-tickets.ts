import { createSigner, derive } from '../../ground/lib/signer.ts';
import { PURCHASES_TICKET } from './find-purchases.ts';
import { GIFT_TICKET } from './given-gift.ts';
import { GRANT_TICKET } from './personal-link.ts';
import { RETURN_TICKET } from './return-purchase.ts';

export type MailedTickets = ReturnType<typeof createMailedTickets>;

/** What proves, in the links and codes of emails to buyers, that we sent them. */
export function createMailedTickets(secret: string) {
  const codeSecret = derive(secret, 'access codes');
  return {
    personalSigner: createSigner(secret, 'personal link', GRANT_TICKET),
    /** Of the address at which a buyer chooses whether to be mailed about new versions. */
    updatesSigner: createSigner(secret, 'updates', GRANT_TICKET),
    purchasesSigner: createSigner(secret, 'purchases', PURCHASES_TICKET),
    /** Of the address at which the buyer of a gift looks after it. */
    giftSigner: createSigner(secret, 'gift', GIFT_TICKET),
    /** Of the address at which a buyer gives back what they had bought before. */
    returnSigner: createSigner(secret, 'return', RETURN_TICKET),
    /** Of a code for one more browser, as it is stored. */
    hashCode: (grantId: string, code: string) => derive(codeSecret, `${grantId} ${code}`),
  };
}
