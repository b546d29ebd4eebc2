import { say } from '../../languages/say.ts';
import { graphql } from '../../lib/graphql.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { ActButton } from '../../ui/act-button.tsx';
import type { Acting } from './operator-frame.tsx';

const resend = graphql('mutation ResendOfPurchase($id: ID!) { resendReceiptOfPurchase(id: $id) }');

interface ResendButtonProps extends Acting {
  /** Of the purchase. */
  id: string;
  /** Of what was bought. */
  name: string;
  buyerEmail: string | null;
}

export function ResendButton({ config, id, name, buyerEmail, onDone }: ResendButtonProps) {
  return (
    <ActButton
      act={() => requestGraphql(config, resend, { id })}
      busyWords={say('Sending...')}
      label={say('Send the receipt again: {name}', { name })}
      onDone={() =>
        onDone(say('The receipt is on its way to {email}.', { email: buyerEmail ?? '' }))
      }
      tone="secondary"
      words={say('Send the receipt again')}
    />
  );
}
