import { useId, useState } from 'react';
import { MAX_REFUND_REASON_LENGTH } from '../../contract/limits.ts';
import { dollarsToCents, formatCents } from '../../contract/money.ts';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { formatPrice } from '../lib/format.ts';
import { graphql, type ResultOf } from '../lib/graphql.ts';
import { messageOf } from '../lib/request-error.ts';
import { requestGraphql } from '../lib/request-graphql.ts';
import { needSession } from '../lib/sign-in-again.ts';
import { collectErrors, useForm } from '../lib/use-form.ts';
import { Alert, FormError } from '../ui/alert.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { takeDecimalComma } from '../ui/price-field.tsx';
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
            Refund “{name}”?
          </h2>
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
        reason: !reason.trim() && 'Say why, for your own records.',
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
        hint={`Up to ${most}. A refund of all of it ends the buyer’s access.`}
        inputMode="decimal"
        label="Amount (USD)"
        min="0"
        name="amount"
        ref={takeDecimalComma}
        step="0.01"
        type="number"
      />
      <Field
        defaultValue={asked.reason}
        disabled={busy}
        error={errors.reason}
        hint="Kept with the payment and shown in your sales. The buyer does not see it."
        label="Reason"
        maxLength={MAX_REFUND_REASON_LENGTH}
        name="reason"
      />
      {errors[''] && <FormError>{errors['']}</FormError>}
      <DialogButtons
        busy={busy}
        leaveWords="Cancel"
        onLeave={onLeave}
        tone="primary"
        words={busy ? 'One moment...' : 'Continue'}
      />
    </form>
  );
}

function checkAmount(dollars: number, mostCents: number): string | undefined {
  const cents = dollarsToCents(dollars);
  if (!(cents >= 1)) return 'Enter an amount of $0.01 or more.';
  if (cents > mostCents) return `Only ${formatPrice(mostCents)} of this payment is left to refund.`;
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
          leaveWords="Back"
          onDo={refund}
          onLeave={onBack}
          tone="danger"
          words={busy ? 'Refunding...' : `Refund ${formatPrice(quote.amount)}`}
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
  const owner = asOperator ? 'the seller’s' : 'your';
  const { amount, creator, fee, tax, processing, processingBy, balance, whole } = quote;
  const returned =
    fee === gross - net
      ? `the platform returns its fee of ${formatPrice(fee)}`
      : `the platform returns ${formatPrice(fee)} of its fee`;
  const cost = processing === null ? '' : ` of ${formatPrice(processing)}`;
  const bearer =
    processingBy === 'creator'
      ? `it is taken from ${owner} balance as well`
      : 'it is borne by the platform';
  const debt =
    balance < 0 && !asOperator
      ? ' There is nothing you have to pay: later sales make up for it.'
      : '';
  const isSolo = payouts.kind === 'solo';
  const kept = `The payment provider does not return its processing cost${cost}`;
  return [
    `The buyer gets ${formatPrice(amount)} back${tax > 0 ? `, ${formatPrice(tax)} of it tax` : ''}.`,
    ...(isSolo
      ? [`It comes from your account at the payment provider. ${kept}.`]
      : [
          `${formatPrice(creator)} is taken from ${owner} balance${fee > 0 ? `; ${returned}` : ''}. ${kept}: ${bearer}.`,
          `${asOperator ? 'The seller’s' : 'Your'} balance will be ${formatPrice(balance)}.${debt}`,
        ]),
    whole
      ? 'This returns the payment in full, so the buyer’s access ends. A refund cannot be undone.'
      : 'The buyer keeps access. A refund cannot be undone.',
  ];
}
