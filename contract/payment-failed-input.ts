/** What a buyer is told of a payment that did not come. */
export interface PaymentFailedInput {
  title: string | null;
  linkId: string;
  amountCents: number;
  origin: string;
  supportEmail: string | null;
}
