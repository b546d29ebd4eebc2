import type { ReactNode } from 'react';
import { nameFormat } from '../../../contract/describe-contents.ts';
import { drawCover, type LinkFace } from '../../../contract/drawn-cover.ts';
import { isolate } from '../../../contract/isolate.ts';
import type { LinkFacts, MailSite, PurchaseFacts } from '../../../contract/mails.ts';
import { say, tell } from '../../languages/say.ts';
import { formatDay, formatPrice, nameLink } from '../../lib/format.ts';
import { INK, MailBox, MailNote } from './mail-layout.tsx';

/** What a receipt says of the payment. */
export interface PaymentFacts extends PurchaseFacts {
  face: Pick<LinkFace, 'type' | 'mediaType'>;
  /** The price, before the tax. */
  amountCents: number;
  taxCents: number;
  /** UTC milliseconds. */
  paidAt: number;
}

/** What was paid for one thing, and to whom: as elements, and as paragraphs of plain text. */
export function describePayment(input: PaymentFacts & MailSite) {
  const { linkId: id, title, sellerName, amountCents, taxCents, purchaseId: number } = input;
  const bought = isolate(nameLink({ id, title })) + soldBy(sellerName);
  const price = formatPrice(amountCents);
  const tax = taxCents > 0 ? formatPrice(taxCents) : null;
  const total = formatPrice(amountCents + taxCents);
  const day = formatDay(input.paidAt);
  const order = say('Order number: {number}', { number });
  const paid = amountCents === 0 ? say(FREE) : sayPaid(input);
  return {
    total,
    table: (
      <ReceiptTable
        cover={<MailCover {...input} />}
        day={day}
        item={bought}
        price={price}
        tax={tax}
        total={total}
      />
    ),
    record: (
      <MailNote>
        {order}
        <br />
        {paid}
      </MailNote>
    ),
    paragraphs: [
      `${bought}: ${price}, ${say('paid on {day}', { day })}`,
      tax && `${say('Tax: {tax}.', { tax })} ${say('Total: {total}.', { total })}`,
      `${order}\n${paid}`,
    ],
  };
}

/** Of what a code made free. */
export const FREE = 'Free, with a discount code.';

function sayPaid(input: PaymentFacts & MailSite): string {
  const paidTo = say('Paid to {payee}.', { payee: payeeOf(input) });
  if (input.isSolo) return paidTo;
  const passedOn = input.sellerName
    ? 'The payment is passed on to the seller.'
    : 'The payment is passed on to the seller, who sells without a name.';
  return `${paidTo} ${say(passedOn)}`;
}

const CELL = { padding: '12px 0' };
export const ROW = { ...CELL, borderBottom: '1px solid #dfe3e9' };
const SUM = { ...CELL, fontWeight: 600 };

/** The cover drawn for a link, without its figure: many mail programs show no drawings. */
export function MailCover({ linkId, face }: Pick<PaymentFacts, 'linkId' | 'face'>) {
  const [ground] = drawCover(linkId).ground;
  return (
    <span
      style={{
        display: 'inline-block',
        minWidth: 44,
        marginRight: 12,
        padding: '6px 8px',
        borderRadius: 6,
        background: ground,
        color: INK,
        font: '700 11px/1.5 sans-serif',
        textAlign: 'center',
      }}
    >
      {tell(nameFormat(face))}
    </span>
  );
}

interface ReceiptTableProps {
  cover: ReactNode;
  /** What was bought, and from whom. */
  item: string;
  price: string;
  /** Null where there was none. */
  tax: string | null;
  day: string;
  total: string;
}

function ReceiptTable({ cover, item, price, tax, day, total }: ReceiptTableProps) {
  const rows = [{ cover, name: item, amount: price }];
  if (tax) rows.push({ cover: null, name: say('Tax'), amount: tax });
  return (
    <table style={{ width: '100%', margin: '0 0 24px', borderCollapse: 'collapse' }}>
      <tbody>
        {rows.map(({ cover, name, amount }) => (
          <tr key={name}>
            <td className="line" style={ROW}>
              {cover}
              {name}
            </td>
            <td className="line" style={{ ...ROW, textAlign: 'right' }}>
              {amount}
            </td>
          </tr>
        ))}
        <PaidRow day={day} total={total} />
      </tbody>
    </table>
  );
}

/** The last row of a receipt. */
export function PaidRow({ day, total }: Pick<ReceiptTableProps, 'day' | 'total'>) {
  return (
    <tr>
      <td style={SUM}>{say('Paid on {day}', { day })}</td>
      <td style={{ ...SUM, textAlign: 'right' }}>{total}</td>
    </tr>
  );
}

export const soldBy = (name: string | null) => (name ? `, ${say('sold by {name}', { name })}` : '');

/** Who was paid, in the middle of a sentence: "Lantern Books Ltd, 1 Quay Street, Harbourtown". */
export function payeeOf({ operator: { name, address }, origin }: MailSite): string {
  const lines = (address ?? '').split('\n').map((line) => line.trim());
  return [name ?? say('the operator of {host}', { host: new URL(origin).host }), ...lines]
    .filter(Boolean)
    .join(', ');
}

/** A license key of something that was bought; null while it is owed. */
export interface License extends LinkFacts {
  key: string | null;
}

const sayLicenses = (licenses: License[]) =>
  licenses.map(({ title, linkId: id, key }) => ({
    id,
    name:
      licenses.length > 1
        ? say('License key for {item}:', { item: nameLink({ id, title }) })
        : say('License key:'),
    key: key ?? say('The seller has run out. Yours will be on the page of your purchase.'),
  }));

export function Licenses({ of }: { of: License[] }) {
  if (of.length === 0) return null;
  return (
    <MailBox>
      {sayLicenses(of).map(({ id, name, key }) => (
        <p key={id} style={{ margin: 0, overflowWrap: 'anywhere' }}>
          {name} <strong>{key}</strong>
        </p>
      ))}
    </MailBox>
  );
}

/** The same as plain text. */
export const describeLicenses = (of: License[]): string[] =>
  sayLicenses(of).map(({ name, key }) => `${name} ${key}`);
