import { isolate } from '../../../contract/isolate.ts';
import { type Sentence, say, tell } from '../../languages/say.ts';
import { formatDay, formatPrice } from '../../lib/format.ts';
import { type FragmentOf, graphql } from '../../lib/graphql.ts';

/** What a sale says of its money since it was paid. */
export const returnFields = graphql(`
  fragment ReturnFields on Sale {
    id
    gross
    net
    paid
    state
    mailable
    refundable
    refunds { id amount state reason by createdAt }
    dispute { amount state respondBy evidence deliveries: deliveryFacts }
  }
`);

export type SaleReturns = FragmentOf<typeof returnFields>;

const sumOf = (refunds: SaleReturns['refunds']) =>
  refunds.reduce((sum, { amount }) => sum + amount, 0);

/** Empty before anything was. */
export function describeRefunded({ paid, refunds }: SaleReturns): string {
  const cents = sumOf(refunds.filter(({ state }) => state === 'succeeded'));
  if (cents === 0) return '';
  return say('Refunded {price} of {paid}.', { price: formatPrice(cents), paid: formatPrice(paid) });
}

/** What was refunded of a sale and why, and what is disputed of it. */
export function SaleReturned({ sale }: { sale: SaleReturns }) {
  const { refunds, dispute } = sale;
  const refunded = describeRefunded(sale);
  return (
    <>
      {refunded && <p className="mt-1 text-sm">{refunded}</p>}
      {refunds.map((refund) => (
        <p className="mt-1 text-sm text-muted wrap-anywhere" key={refund.id}>
          {describeRefund(refund)}
        </p>
      ))}
      {dispute && <p className="mt-1 text-sm">{describeDispute(dispute)}</p>}
      {dispute?.deliveries.map(tell).map((words) => (
        <p className="mt-1 text-sm text-muted wrap-anywhere" key={words}>
          {words}
        </p>
      ))}
    </>
  );
}

const OUTCOMES: Record<string, Sentence | undefined> = {
  pending: 'A refund of this amount is pending',
  failed: 'A refund of this amount failed',
};

const MAKERS: Record<string, Sentence | undefined> = {
  creator: 'Refunded by you',
  operator: 'Refunded by the operator',
  buyer: 'Given back by the buyer',
};

function describeRefund({ amount, state, reason, by, createdAt }: SaleReturns['refunds'][number]) {
  const outcome = OUTCOMES[state] ?? MAKERS[by ?? ''] ?? 'Refunded';
  const why = reason ? `: ${isolate(tell(reason))}` : '';
  return `${formatDay(createdAt)}, ${formatPrice(amount)}. ${say(outcome)}${why}`;
}

const STAGES: Record<string, Sentence | undefined> = {
  inquiry: 'The buyer’s bank is asking about this payment of {price}.',
  open: '{price} is disputed at the buyer’s bank.',
  lost: 'A dispute of {price} was lost.',
  over: 'A dispute of {price} is over, and nothing was lost.',
};

const EVIDENCE: Record<string, Sentence | undefined> = {
  attached:
    'A record of what was delivered is attached, and is sent to the bank a day before that.',
  sent: 'A record of what was delivered was sent to the bank.',
};
const UNDELIVERED = 'No download is on record, so the answer is left to the operator of this site.';

function describeDispute({ amount, state, respondBy, evidence, deliveries }: Dispute): string {
  const stage = STAGES[state];
  const isLeft = respondBy && evidence !== 'sent' && deliveries.length === 0;
  const answer = isLeft ? UNDELIVERED : EVIDENCE[evidence];
  return [
    stage && say(stage, { price: formatPrice(amount) }),
    respondBy && say('The bank takes evidence until {day}.', { day: formatDay(respondBy) }),
    answer && say(answer),
  ]
    .filter(Boolean)
    .join(' ');
}

type Dispute = NonNullable<SaleReturns['dispute']>;
