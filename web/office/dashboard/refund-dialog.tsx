import { useId, useState } from 'react';
import { collectErrors } from '../../../contract/form-errors.ts';
import { dollarsToCents, formatCents } from '../../../contract/money.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { say } from '../../languages/say.ts';
import { takeDecimals } from '../../lib/decimals.ts';
import { formatPrice } from '../../lib/format.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { messageOf } from '../../lib/request-error.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { useForm } from '../../lib/use-form.ts';
import { Alert, FormError } from '../../ui/alert.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { returnFields, type SaleReturns } from './sale-returns.tsx';

export interface RefundDialogProps {
  config: RuntimeConfig;
  name: string;
  sale: SaleReturns;
  /** Of somebody else's sale. */
  asOperator?: boolean;
  onRefunded(sale: SaleReturns): void;
  onClose(): void;
}

const quoteQuery = graphql(`
  query QuoteRefund($id: ID!, $amount: Int!, $asOperator: Boolean) {
    quoteRefund(purchaseId: $id, amount: $amount, asOperator: $asOperator) {
      amount creator fee tax processing processingBy balance whole
    }
  }
`);

type Quote = NonNullable<ResultOf<typeof quoteQuery>['quoteRefund']>;

const refundMutation = graphql(
  `
    mutation RefundSale($id: ID!, $amount: Int!, $reason: String!, $asOperator: Boolean) {
      refundSale(purchaseId: $id, amount: $amount, reason: $reason, asOperator: $asOperator) { ...ReturnFields }
    }
  `,
  [returnFields],
);

interface Asked {
  amount: string;
  reason: string;
}

/** Asks how much and why, then says what it costs whom and asks once more. */
export function RefundDialog(props: RefundDialogProps) {
  const { config, name, sale, asOperator = false, onRefunded, onClose } = props;
  const id = useId();
  const [asked, setAsked] = useState<Asked>({ amount: formatCents(sale.refundable), reason: '' });
  const [quote, setQuote] = useState<Quote | null>(null);
  return (
    <Dialog labelledBy={id} onClose={onClose}>
      {(close) => (
        <>
          <h2 className="text-xl wrap-anywhere" id={id}>
            {say('Refund “{name}”?', { name })}
          </h2>
          <p className="text-sm text-muted wrap-anywhere">
            {say('Order number: {number}', { number: sale.id })}
          </p>
          {quote ? (
            <ConfirmRefund
              asOperator={asOperator}
              asked={asked}
              config={config}
              onBack={() => setQuote(null)}
              onRefunded={(refunded) => {
                close();
                onRefunded(refunded);
              }}
              quote={quote}
              sale={sale}
            />
          ) : (
            <AskRefund
              asOperator={asOperator}
              asked={asked}
              config={config}
              onLeave={close}
              onQuoted={(given, quoted) => {
                setAsked(given);
                setQuote(quoted);
              }}
              sale={sale}
            />
          )}
        </>
      )}
    </Dialog>
  );
}

interface AskRefundProps {
  config: RuntimeConfig;
  sale: SaleReturns;
  asked: Asked;
  asOperator: boolean;
  onQuoted(asked: Asked, quote: Quote): void;
  onLeave(): void;
}

function AskRefund({ config, sale, asked, asOperator, onQuoted, onLeave }: AskRefundProps) {
  const most = formatPrice(sale.refundable);
  const { formProps, errors, busy } = useForm({
    check: ({ amount, reason = '' }) =>
      collectErrors({
        amount: checkAmount(Number(amount), sale.refundable),
        reason: !reason.trim() && say('Say why, for your own records.'),
      }),
    async send({ amount = '', reason = '' }) {
      const variables = { id: sale.id, amount: dollarsToCents(Number(amount)), asOperator };
      const { quoteRefund } = await needSession(requestGraphql(config, quoteQuery, variables));
      if (quoteRefund) onQuoted({ amount, reason }, quoteRefund);
    },
  });
  return (
    <form {...formProps} className="mt-4 space-y-5">
      <Field
        defaultValue={asked.amount}
        disabled={busy}
        error={errors.amount}
        hint={say('Up to {most}. A full refund ends the buyer’s access.', { most })}
        inputMode="decimal"
        label={say('Amount (USD)')}
        min="0"
        name="amount"
        ref={takeDecimals}
        step="0.01"
        type="number"
      />
      <Field
        defaultValue={asked.reason}
        disabled={busy}
        error={errors.reason}
        hint={say('Kept with the payment and shown in your sales. The buyer does not see it.')}
        label={say('Reason')}
        name="reason"
      />
      {errors[''] && <FormError>{errors['']}</FormError>}
      <DialogButtons
        busy={busy}
        leaveWords={say('Cancel')}
        onLeave={onLeave}
        tone="primary"
        words={say(busy ? 'One moment...' : 'Continue')}
      />
    </form>
  );
}

function checkAmount(dollars: number, mostCents: number): string | undefined {
  const cents = dollarsToCents(dollars);
  if (!(cents >= 1)) return say('Enter an amount of $0.01 or more.');
  if (cents > mostCents) {
    return say('Only {price} of this payment is left to refund.', {
      price: formatPrice(mostCents),
    });
  }
  return undefined;
}

interface ConfirmRefundProps {
  config: RuntimeConfig;
  sale: SaleReturns;
  asked: Asked;
  asOperator: boolean;
  quote: Quote;
  onRefunded(sale: SaleReturns): void;
  onBack(): void;
}

function ConfirmRefund(props: ConfirmRefundProps) {
  const { config, sale, asked, asOperator, quote, onRefunded, onBack } = props;
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');

  async function refund() {
    if (busy) return;
    setBusy(true);
    setFailure('');
    try {
      const variables = { id: sale.id, amount: quote.amount, reason: asked.reason, asOperator };
      const made = await needSession(requestGraphql(config, refundMutation, variables));
      if (made.refundSale) onRefunded(made.refundSale);
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
    }
  }

  return (
    <>
      <div className="mt-4 space-y-3" role="status">
        {describeCosts(quote, sale, { config, asOperator }).map((words) => (
          <p key={words}>{words}</p>
        ))}
      </div>
      {failure && (
        <div className="mt-4">
          <Alert>{failure}</Alert>
        </div>
      )}
      <div className="mt-6">
        <DialogButtons
          busy={busy}
          leaveWords={say('Back')}
          onDo={refund}
          onLeave={onBack}
          tone="danger"
          words={
            busy ? say('Refunding...') : say('Refund {price}', { price: formatPrice(quote.amount) })
          }
        />
      </div>
    </>
  );
}

/** What a refund costs whom, to the cent. */
function describeCosts(
  quote: Quote,
  { gross, net }: SaleReturns,
  { config: { payouts }, asOperator }: { config: RuntimeConfig; asOperator: boolean },
): string[] {
  const { amount, creator, fee, tax, processing, processingBy, balance, whole } = quote;
  const returned = fee === gross - net ? 'all' : 'part';
  const isKnown = processing === null ? 'unknown' : 'known';
  const bearer = processingBy === 'creator' ? 'creator' : 'platform';
  const prices = {
    price: formatPrice(creator),
    fee: formatPrice(fee),
    cost: formatPrice(processing ?? 0),
    balance: say(asOperator ? 'the seller’s balance' : 'your balance'),
  };
  const kept = say(KEPT[payouts.kind === 'solo' ? 'solo' : bearer][isKnown], prices);
  const taken = say(TAKEN[fee > 0 ? returned : 'none'], prices);
  const left = say(
    asOperator ? 'The seller’s balance will be {price}.' : 'Your balance will be {price}.',
    { price: formatPrice(balance) },
  );
  const debt =
    balance < 0 && !asOperator
      ? ` ${say('You do not have to pay anything: later sales make up for it.')}`
      : '';
  return [
    say(
      tax > 0 ? 'The buyer gets {price} back, {tax} of it tax.' : 'The buyer gets {price} back.',
      {
        price: formatPrice(amount),
        tax: formatPrice(tax),
      },
    ),
    ...(payouts.kind === 'solo'
      ? [`${say('It comes from your account at the payment provider.')} ${kept}`]
      : [`${taken} ${kept}`, left + debt]),
    say(
      whole
        ? 'This returns the payment in full, so the buyer’s access ends. A refund cannot be undone.'
        : 'The buyer keeps access. A refund cannot be undone.',
    ),
  ];
}

/** What the creator gives back, by how much of the fee the platform does. */
const TAKEN = {
  none: '{price} is taken from {balance}.',
  all: '{price} is taken from {balance}; the platform returns its fee of {fee}.',
  part: '{price} is taken from {balance}; the platform returns {fee} of its fee.',
} as const;

/** What the provider keeps, by who bears it and whether it is known. */
const KEPT = {
  solo: {
    unknown: 'The payment provider does not return its processing cost.',
    known: 'The payment provider does not return its processing cost of {cost}.',
  },
  platform: {
    unknown:
      'The payment provider does not return its processing cost: it is borne by the platform.',
    known:
      'The payment provider does not return its processing cost of {cost}: it is borne by the platform.',
  },
  creator: {
    unknown:
      'The payment provider does not return its processing cost: it is taken from {balance} as well.',
    known:
      'The payment provider does not return its processing cost of {cost}: it is taken from {balance} as well.',
  },
} as const;
