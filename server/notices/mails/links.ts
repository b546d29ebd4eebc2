import type { Signer } from '../../ground/lib/signer.ts';
import type { SellerSigner } from '../notifications/choice.ts';

/** What proves, in the links of emails, that we sent them. */
interface LinkSigners {
  personalSigner: Signer<{ grantId: string }>;
  updatesSigner: Signer<{ grantId: string }>;
  giftSigner: Signer<{ purchaseId: string }>;
  returnSigner: Signer<{ purchaseId: string; mailed: boolean }>;
  purchasesSigner: Signer<{ grantId: string; expiresAt: number }>;
  invitationSigner: Signer<{ invitationId: string }>;
  sellerSigner: SellerSigner;
}

/**
 * The links in emails by which whoever reads them proves to be the addressee.
 * @param origin without a trailing slash
 */
export const createMailLinks = (origin: string, signers: LinkSigners) => ({
  /** Opens a purchase in any browser. */
  personal: (grantId: string) => `${origin}/access/${signers.personalSigner.sign({ grantId })}`,
  /** Where a buyer chooses to be mailed about new versions, or no longer to be. */
  updates: (grantId: string) => `${origin}/updates/${signers.updatesSigner.sign({ grantId })}`,
  /** Where the buyer of a gift has it sent again, or corrects the address. */
  gift: (purchaseId: string) => `${origin}/gifts/${signers.giftSigner.sign({ purchaseId })}`,
  /** Where a purchase can be given back. */
  giveBack: (purchaseId: string) =>
    `${origin}/returns/${signers.returnSigner.sign({ purchaseId, mailed: true })}`,
  /** Opens everything that the address of a purchase bought. */
  purchases: (grantId: string, expiresAt: number) =>
    `${origin}/purchases/open/${signers.purchasesSigner.sign({ grantId, expiresAt })}`,
  invitation: (invitationId: string) =>
    `${origin}/invitations/${signers.invitationSigner.sign({ invitationId })}`,
  /** Ends emails to a seller. */
  stop: (ownerId: string, about: 'sales' | 'weeks') =>
    `${origin}/notifications/${signers.sellerSigner.sign({ ownerId, about })}`,
});

export type MailLinks = ReturnType<typeof createMailLinks>;
