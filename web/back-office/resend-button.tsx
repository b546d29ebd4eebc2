import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { graphql } from '../lib/graphql.ts';
import { requestGraphql } from '../lib/request-graphql.ts';
import { ActButton } from './act-button.tsx';

const resend = graphql('mutation ResendOfPurchase($id: ID!) { resendReceiptOfPurchase(id: $id) }');

interface ResendButtonProps {
  config: RuntimeConfig;
  /** Of the purchase. */
  id: string;
  /** Of what was bought. */
  name: string;
  buyerEmail: string | null;
  onDone(words: string): Promise<void>;
}

export function ResendButton({ config, id, name, buyerEmail, onDone }: ResendButtonProps) {
  return (
    <ActButton
      act={() => requestGraphql(config, resend, { id })}
      busyWords="Sending..."
      label={`Send the receipt again: ${name}`}
      onDone={() => onDone(`The receipt is on its way to ${buyerEmail}.`)}
      tone="secondary"
      words="Send the receipt again"
    />
  );
}
