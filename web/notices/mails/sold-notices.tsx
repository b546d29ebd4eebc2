import { isolate } from '../../../contract/isolate.ts';
import type { LinkFacts, Mail, MailInput, MailSite, OwnerFacts } from '../../../contract/mails.ts';
import { MAX_TOLD_SINGLY } from '../../../contract/notifications.ts';
import { say } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { formatDay, formatPrice, nameLink, sayCount } from '../../lib/format.ts';
import { openDashboard, openMoney } from './buttons.ts';
import { MailButton, MailNote, MailTitle, writeMail } from './mail-layout.tsx';
import { writeTo } from './plain-mail.tsx';

declare module '../../../contract/mails.ts' {
  interface MailFacts {
    /** `code` is the discount code that was used. */
    sale: OwnerFacts & LinkFacts & Amounts & Stopping & { code: string | null };
    sales: OwnerFacts &
      Amounts &
      Stopping & {
        /** Whether they are those of a day; otherwise there were too many for an email each. */
        isDay: boolean;
        sales: number;
        /** Those that brought the most first; further ones are only counted. */
        links: (LinkFacts & { sales: number; grossCents: number })[];
        furtherLinks: number;
        codes: { code: string; sales: number }[];
      };
    /** A week, from Monday to Sunday in UTC. */
    week: OwnerFacts &
      Stopping &
      Sold & {
        /** When it began, UTC milliseconds. */
        from: number;
        before: Sold;
        /** Those that brought the most first; further ones are left out. */
        links: (LinkFacts & Sold)[];
        /** Refunds made in this week, whenever the sale was made. */
        refunds: number;
        /** Taken back in this week by refunds and disputes, less what was restored. */
        returnedCents: number;
        /** Null where there is no balance. */
        availableCents: number | null;
      };
  }
}

interface Amounts {
  grossCents: number;
  feeCents: number;
}

interface Sold {
  sales: number;
  netCents: number;
}

interface Stopping {
  /** Ends these emails. */
  stopUrl: string;
}

/** A line of figures: what it is, what it comes to, and whether it is the sum of those above. */
interface Row {
  name: string;
  amount: string;
  isSum?: boolean;
}

interface FiguresMailInput extends Stopping, Pick<MailSite, 'origin' | 'supportEmail'> {
  subject: string;
  title: string;
  lead?: string;
  rows: Row[];
  /** Below the figures; may be empty. */
  notes: string[];
  button: { href: string; label: string };
  /** Why it was sent. */
  why: string;
}

/** An email of figures to a seller, who can end such emails or choose others. */
function figuresMail(input: FiguresMailInput): Mail {
  const { subject, title, lead, rows, notes, button, why, stopUrl, origin } = input;
  const choose = `${origin}/account/notifications`;
  const support = writeTo(input.supportEmail);
  return writeMail({
    subject,
    origin,
    unsubscribeUrl: stopUrl,
    body: (
      <>
        <MailTitle>{title}</MailTitle>
        {lead && <p style={{ margin: '0 0 12px' }}>{lead}</p>}
        <table style={{ width: '100%', margin: '0 0 24px', borderCollapse: 'collapse' }}>
          <tbody>
            {rows.map(({ name, amount, isSum = false }) => (
              <tr key={name}>
                <td style={cellOf(isSum)}>{name}</td>
                <td style={{ ...cellOf(isSum), textAlign: 'right', whiteSpace: 'nowrap' }}>
                  {amount}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {notes.map((note) => (
          <p key={note} style={{ margin: '0 0 24px' }}>
            {note}
          </p>
        ))}
        <MailButton href={button.href}>{button.label}</MailButton>
        {support && <MailNote>{support}</MailNote>}
        <MailNote>
          {why}{' '}
          {sayWith('{choose}, or {stop}.', {
            choose: <a href={choose}>{say('Choose what we email you')}</a>,
            stop: <a href={stopUrl}>{say('stop these emails')}</a>,
          })}
        </MailNote>
      </>
    ),
    paragraphs: [
      title,
      lead,
      rows.map(({ name, amount }) => `${name}: ${amount}`).join('\n'),
      ...notes,
      `${button.label}: ${button.href}`,
      support,
      `${why}\n${say('Choose what we email you')}: ${choose}\n${say('Stop these emails')}: ${stopUrl}`,
    ],
  });
}

const cellOf = (isSum: boolean) => ({
  padding: '10px 0',
  verticalAlign: 'top',
  ...(isSum ? { fontWeight: 600 } : { borderBottom: '1px solid #dfe3e9' }),
});

/** One sale, the moment it was made. */
export function sale(input: MailInput<'sale'>): Mail {
  const { grossCents, feeCents, code } = input;
  const item = nameLink({ id: input.linkId, title: input.title });
  const price = formatPrice(grossCents);
  const name =
    code === null ? isolate(item) : say('{item}, with discount code {code}', { item, code });
  return figuresMail({
    ...input,
    subject: say('Sold: {item}, {price}', { item, price }),
    title: say('You made a sale'),
    rows: withNet([{ name, amount: price }], { grossCents, feeCents }, input.isSolo),
    notes: [],
    button: openMoney(input.origin),
    why: say('You get an email for each sale.'),
  });
}

/** The sales of a day, or those of an hour that had too many for an email each. */
export function sales(input: MailInput<'sales'>): Mail {
  const { isDay, sales, grossCents, feeCents, links, furtherLinks, codes } = input;
  const count = isDay ? saySales(sales) : sayCount(sales, '1 more sale', '{count} more sales');
  const title = isDay
    ? sayCount(sales, 'You made 1 sale', 'You made {count} sales')
    : sayCount(sales, 'You made 1 more sale', 'You made {count} more sales');
  const rows = links.map((link) => rowOf(link, link.grossCents));
  const named = links.reduce((total, link) => total + link.grossCents, 0);
  if (furtherLinks > 0) {
    rows.push({
      name: sayCount(furtherLinks, '1 other link', '{count} other links'),
      amount: formatPrice(grossCents - named),
    });
  }
  if (rows.length > 1) rows.push({ name: say('Total'), amount: formatPrice(grossCents) });
  const used = codes.map((code) => `${code.code} (${saySales(code.sales)})`).join(', ');
  return figuresMail({
    ...input,
    subject: say('Sold: {item}, {price}', { item: count, price: formatPrice(grossCents) }),
    title,
    ...(!isDay && {
      lead: say(
        'After {number} sales in an hour, we send the rest of that hour’s sales in one email.',
        { number: MAX_TOLD_SINGLY },
      ),
    }),
    rows: withNet(rows, { grossCents, feeCents }, input.isSolo),
    notes: used ? [say('Discount codes used: {codes}.', { codes: used })] : [],
    button: openMoney(input.origin),
    why: say(
      isDay ? 'You get one email a day with your sales.' : 'You get an email for each sale.',
    ),
  });
}

/** What a week brought, and what the one before did. */
export function week(input: MailInput<'week'>): Mail {
  const { sales, netCents, before, links, refunds, returnedCents, availableCents } = input;
  const count = saySales(sales);
  const rows = links.map((link) => rowOf(link, link.netCents));
  const named = links.reduce((total, link) => total + link.sales, 0);
  const namedCents = links.reduce((total, link) => total + link.netCents, 0);
  if (sales > named) {
    const name = say('Other links ({count})', { count: saySales(sales - named) });
    rows.push({ name, amount: formatPrice(netCents - namedCents) });
  }
  rows.push(
    { name: say('Total ({count})', { count }), amount: formatPrice(netCents), isSum: true },
    {
      name: say('The week before ({count})', { count: saySales(before.sales) }),
      amount: formatPrice(before.netCents),
    },
  );
  if (refunds > 0 || returnedCents !== 0) {
    rows.push({
      name: say('Returned ({count})', {
        count: sayCount(refunds, '1 refund', '{count} refunds'),
      }),
      amount: formatPrice(-returnedCents),
    });
  }
  if (availableCents !== null) {
    rows.push({ name: say('Available balance'), amount: formatPrice(availableCents) });
  }
  return figuresMail({
    ...input,
    subject: say('Your week: {count}, {price}', { count, price: formatPrice(netCents) }),
    title: say('Your week until {day}', { day: formatDay(input.from + 6 * DAY_MS) }),
    lead: say(
      input.isSolo
        ? 'What you sold from Monday to Sunday, in UTC.'
        : 'What you sold from Monday to Sunday, in UTC, and what you receive.',
    ),
    rows,
    notes: [],
    button: openDashboard(input.origin),
    why: say('We send you a weekly summary on Mondays.'),
  });
}

const DAY_MS = 24 * 60 * 60 * 1000;

const saySales = (count: number) => sayCount(count, '1 sale', '{count} sales');

/** What one link brought. */
function rowOf({ linkId: id, title, sales }: LinkFacts & Pick<Sold, 'sales'>, cents: number): Row {
  const name = `${isolate(nameLink({ id, title }))} (${saySales(sales)})`;
  return { name, amount: formatPrice(cents) };
}

/** Where only the operator sells there is no fee, and all of the price is theirs. */
function withNet(rows: Row[], { grossCents, feeCents }: Amounts, isSolo: boolean): Row[] {
  if (isSolo) return rows;
  return [
    ...rows,
    { name: say('Fee'), amount: formatPrice(-feeCents) },
    { name: say('You receive'), amount: formatPrice(grossCents - feeCents), isSum: true },
  ];
}
