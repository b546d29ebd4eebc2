import { useState } from 'react';
import { chooseTones } from '../../../contract/drawn-cover.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { type Sentence, say } from '../../languages/say.ts';
import { nameOwnLink } from '../../lib/addresses.ts';
import { formatDay, formatPrice } from '../../lib/format.ts';
import { type FragmentOf, graphql } from '../../lib/graphql.ts';
import { messageOf } from '../../lib/request-error.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { useOnDemand } from '../../lib/use-on-demand.ts';
import { Alert } from '../../ui/alert.tsx';
import { faceFields, LinkCover } from '../../ui/link-cover.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { loadRefundDialog } from './refund-button.tsx';
import { describeRefunded, returnFields, SaleReturned, type SaleReturns } from './sale-returns.tsx';

export const saleFields = graphql(
  'fragment SaleFields on Sale { id linkId title key url paidAt refused gift face { ...FaceFields } delivery { state percent } ...ReturnFields }',
  [faceFields, returnFields],
);

type Sale = FragmentOf<typeof saleFields>;

interface SalesTableProps {
  sales: Sale[];
  config: RuntimeConfig;
}

/** Sales in columns; on a phone, each in two lines. */
export function SalesTable({ sales, config }: SalesTableProps) {
  const [said, setSaid] = useState('');
  const isShared = config.payouts.kind !== 'solo';
  const tones = chooseTones(sales.map(({ linkId }) => linkId));
  return (
    <div className="card">
      <p className="sr-only" role="status">
        {said}
      </p>
      <table className="sales-list">
        <thead>
          <tr>
            <th scope="col">{say('Link')}</th>
            <th scope="col">{say('Date')}</th>
            <th scope="col">{say('Status')}</th>
            <th className="sale-price" scope="col">
              {say('Price')}
            </th>
            {isShared && (
              <th className="sale-net" scope="col">
                {say('After the fee')}
              </th>
            )}
            <th scope="col">
              <span className="sr-only">{say('Actions')}</span>
            </th>
          </tr>
        </thead>
        {sales.map((sale, place) => (
          <SaleRow
            config={config}
            isShared={isShared}
            key={sale.id}
            onSaid={setSaid}
            sale={sale}
            tone={tones[place]}
          />
        ))}
      </table>
    </div>
  );
}

const BADGES: Record<string, Sentence | undefined> = { suspended: 'Disputed', ended: 'Returned' };

const DELIVERIES: Record<string, Sentence | undefined> = {
  delivered: 'Delivered',
  handed_over: 'Handed over',
  unopened: 'Not downloaded yet',
};

function describeDelivery({ state, percent }: NonNullable<Sale['delivery']>): string {
  return say(DELIVERIES[state] ?? 'Partly delivered ({percent}%)', { percent });
}

interface SaleRowProps {
  sale: Sale;
  config: RuntimeConfig;
  /** Of its drawn cover. */
  tone: number | undefined;
  /** Whether a part of the price is the operator's. */
  isShared: boolean;
  onSaid(words: string): void;
}

/** A sale, and below it what else there is to say of it. */
function SaleRow({ sale, config, tone, isShared, onSaid }: SaleRowProps) {
  const { linkId, title, key, url, paidAt, gift, face, delivery } = sale;
  const [returns, setReturns] = useState<SaleReturns>(sale);
  const resending = useResending(config, returns.id, onSaid);
  const refunding = useOnDemand(loadRefundDialog);
  const { gross, net, state, refunds, dispute } = returns;
  const name = nameOwnLink({ id: linkId, title, key, url });
  const badge = BADGES[state];
  const refusal = sale.refused && REFUSALS[gift ? 'gift' : 'receipt'];
  const failure = resending.failure || refunding.failure;
  return (
    <tbody>
      <tr className="sale">
        <td className="sale-name">
          <div className="flex items-center gap-3">
            <LinkCover className="row-cover" face={face} id={linkId} tone={tone} />
            <span className="min-w-0 wrap-anywhere">
              <bdi>{name}</bdi> {gift && <span className="badge">{say('Gift')}</span>}
            </span>
          </div>
          {refunding.Shown && (
            <refunding.Shown
              config={config}
              name={name}
              onClose={refunding.close}
              onRefunded={(refunded) => {
                setReturns(refunded);
                onSaid(describeRefunded(refunded));
              }}
              sale={returns}
            />
          )}
        </td>
        <td className="sale-date">
          <time dateTime={paidAt}>{formatDay(paidAt)}</time>
        </td>
        <td className="sale-state">
          {badge && <span className="badge">{say(badge)}</span>}{' '}
          {delivery && <span className="sm:whitespace-nowrap">{describeDelivery(delivery)}</span>}
        </td>
        <td className="sale-price">{formatPrice(gross)}</td>
        {isShared && <td className="sale-net">{badge !== 'Returned' && formatPrice(net)}</td>}
        <td className="sale-menu">
          <SaleMenu
            name={name}
            onRefund={refunding.open}
            onResend={resending.resend}
            sale={returns}
          />
        </td>
      </tr>
      {(refusal || resending.said || failure || refunds.length > 0 || dispute) && (
        <tr>
          <td className="sale-notes" colSpan={isShared ? 6 : 5}>
            {refusal && <p className="text-sm">{say(refusal)}</p>}
            <SaleReturned sale={returns} />
            {resending.said && <p className="text-sm font-medium">{resending.said}</p>}
            {failure && <Alert>{failure}</Alert>}
          </td>
        </tr>
      )}
    </tbody>
  );
}

interface SaleMenuProps {
  sale: SaleReturns;
  name: string;
  onResend(): Promise<void>;
  onRefund(): Promise<void>;
}

/** Nothing where nothing can be done. */
function SaleMenu({ sale: { id, mailable, refundable }, name, onResend, onRefund }: SaleMenuProps) {
  if (!mailable && refundable === 0) return null;
  return (
    <RowMenu name={name}>
      {(close) => (
        <>
          <p className="px-3 py-2 text-start text-sm text-muted">
            {say('Order number: {number}', { number: id })}
          </p>
          {mailable && (
            <button className="row-menu-item" onClick={() => close(onResend)} type="button">
              {say('Send the receipt again')}
            </button>
          )}
          {refundable > 0 && (
            <button className="row-menu-item" onClick={() => close(onRefund)} type="button">
              {say('Refund')}
            </button>
          )}
        </>
      )}
    </RowMenu>
  );
}

const REFUSALS = {
  gift: 'The recipient’s mail server refused the gift. If you send the receipt again, the buyer can correct the address.',
  receipt: 'The buyer’s mail server refused the receipt.',
} as const;

const resendReceipt = graphql(
  'mutation ResendReceiptOfSale($id: ID!) { resendReceiptOfSale(purchaseId: $id) }',
);

/** Sends the receipt of a sale again, and tells what came of it. */
function useResending(config: RuntimeConfig, id: string, onSaid: (words: string) => void) {
  const [said, setSaid] = useState('');
  const [failure, setFailure] = useState('');

  async function resend() {
    setSaid(say('Sending...'));
    setFailure('');
    try {
      await needSession(requestGraphql(config, resendReceipt, { id }));
      const words = say('The receipt is on its way.');
      setSaid(words);
      onSaid(words);
    } catch (error) {
      setSaid('');
      setFailure(messageOf(error));
    }
  }

  return { said, failure, resend };
}
