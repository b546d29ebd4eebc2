import { isolate } from '../../../contract/isolate.ts';
import type { Language } from '../../../contract/languages.ts';
import type { LinkFacts, Mail, MailInput, PurchaseFacts } from '../../../contract/mails.ts';
import { say } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { paywallAddress } from '../../lib/addresses.ts';
import { formatDay, formatPrice, nameLink, sayCount } from '../../lib/format.ts';
import {
  MailBox,
  MailButton,
  MailNote,
  MailSecondButton,
  MailTitle,
  writeMail,
} from './mail-layout.tsx';
import { plainMail, writeTo } from './plain-mail.tsx';
import {
  describeLicenses,
  describePayment,
  FREE,
  type License,
  Licenses,
  MailCover,
  PaidRow,
  type PaymentFacts,
  payeeOf,
  ROW,
  soldBy,
} from './receipt-parts.tsx';

declare module '../../../contract/mails.ts' {
  interface MailFacts {
    receipt: PaymentFacts & {
      /** Opens the purchase in any browser. */
      personalUrl: string;
      boughtBefore: BoughtBefore | null;
      /** Of a bundle, those of its parts. */
      licenses: License[];
      /** Where the buyer chooses to be mailed about new versions. */
      updatesUrl: string;
    };
    /** Each line has the personal link to it. */
    cartReceipt: {
      language: Language;
      lines: Omit<MailFacts['receipt'], 'language' | 'paidAt' | 'updatesUrl'>[];
      paidAt: number;
    };
    reminder: PurchaseFacts & { personalUrl: string };
    paymentFailed: PurchaseFacts & { amountCents: number };
    purchases: {
      language: Language;
      /** How many were paid with this address or given to it. */
      count: number;
      /** Opens all of them in any browser, for an hour; null where there are none. */
      purchasesUrl: string | null;
      /** Gifts that were paid with this address, the newest first, each with where it is looked after. */
      gifts: (LinkFacts & { giftEmail: string; giftUrl: string })[];
    };
    versionNotice: LinkFacts & {
      language: Language;
      sellerName: string | null;
      version: number;
      personalUrl: string;
      /** Ends these emails. */
      updatesUrl: string;
    };
  }
}

/** The address that paid had bought the same already. */
interface BoughtBefore {
  /** Since when, UTC milliseconds. */
  paidAt: number;
  /** Where this purchase can be given back, within a day. */
  returnUrl: string;
}

/** What was bought, what was paid, and the personal link to it. */
export function receipt(input: MailInput<'receipt'>): Mail {
  const { origin, linkId: id, title, personalUrl, updatesUrl } = input;
  const payment = describePayment(input);
  const keep = say(
    'This link is personal: anyone who has it can open your purchase. Please keep it to yourself.',
  );
  const support = writeTo(input.supportEmail);
  const opened = paywallAddress(origin, id);
  const before = describeBefore(input.boughtBefore, payment.total);
  return writeMail({
    subject: say('Your purchase: {item}', { item: nameLink({ id, title }) }),
    origin,
    body: (
      <>
        <MailTitle>{say('Thank you for your purchase')}</MailTitle>
        {payment.table}
        <MailButton href={personalUrl}>{say('Open your purchase')}</MailButton>
        <Licenses of={input.licenses} />
        {before && <Before {...before} />}
        {payment.record}
        <MailNote>
          {keep} {support}
        </MailNote>
        <MailNote>
          {sayWith('{page} has a signed receipt, which proves what you bought.', {
            page: <a href={opened}>{say('The page of your purchase')}</a>,
          })}{' '}
          <WhenLost origin={origin} />
        </MailNote>
        <MailNote>
          <a href={updatesUrl}>{say('Get an email when there is a new version')}</a>
        </MailNote>
      </>
    ),
    paragraphs: [
      say('Thank you for your purchase'),
      ...payment.paragraphs,
      `${say('Open your purchase')}: ${personalUrl}`,
      ...describeLicenses(input.licenses),
      before && `${before.words}\n${before.way}: ${before.returnUrl}`,
      `${keep} ${support}`.trim(),
      say(
        'The page of your purchase has a signed receipt, which proves what you bought: {address}',
        { address: opened },
      ),
      whenLost(origin),
      `${say('Get an email when there is a new version')}: ${updatesUrl}`,
    ],
  });
}

/** The same was bought with this address before: nobody is to pay for it twice by mistake. */
function Before({ words, way, returnUrl }: BeforeProps) {
  return (
    <MailBox>
      <p style={{ margin: '0 0 12px' }}>{words}</p>
      <MailSecondButton href={returnUrl}>{way}</MailSecondButton>
    </MailBox>
  );
}

interface BeforeProps {
  words: string;
  way: string;
  returnUrl: string;
}

function describeBefore(before: BoughtBefore | null, price: string): BeforeProps | null {
  if (!before) return null;
  return {
    words: say(
      'You already bought this on {day} with this address. If you did not mean to buy it again, you can give this purchase back within 24 hours: {price} is refunded to you, and the first one stays yours.',
      { day: formatDay(before.paidAt), price },
    ),
    way: say('Give this purchase back'),
    returnUrl: before.returnUrl,
  };
}

function sayPaidAtOnce(input: MailInput<'cartReceipt'>): string {
  const paidTo = say('Paid to {payee}, by one card payment.', { payee: payeeOf(input) });
  return input.isSolo
    ? paidTo
    : `${paidTo} ${say('Each seller’s part of it is passed on to them.')}`;
}

/** What was bought in one cart, what was paid for it together, and the personal link to each. */
export function cartReceipt(input: MailInput<'cartReceipt'>): Mail {
  const { lines, paidAt } = input;
  const items = sayCount(lines.length, '1 item', '{count} items');
  const taxCents = lines.reduce((sum, line) => sum + line.taxCents, 0);
  const totalCents = lines.reduce((sum, { amountCents }) => sum + amountCents, taxCents);
  const total = formatPrice(totalCents);
  const tax = formatPrice(taxCents);
  const day = formatDay(paidAt);
  const paid = totalCents === 0 ? say(FREE) : sayPaidAtOnce(input);
  const keep = say(
    'These links are personal: anyone who has them can open your purchases. Please keep them to yourself.',
  );
  const support = writeTo(input.supportEmail);
  const bought = lines.map((line) => ({
    ...line,
    item: isolate(nameLink({ id: line.linkId, title: line.title })),
    seller: soldBy(line.sellerName),
    price: formatPrice(line.amountCents),
    before: describeBefore(line.boughtBefore, formatPrice(line.amountCents + line.taxCents)),
  }));
  return writeMail({
    subject: say('Your purchases: {items}', { items }),
    origin: input.origin,
    body: (
      <>
        <MailTitle>{say('Thank you for your purchases')}</MailTitle>
        <table style={{ width: '100%', margin: '0 0 24px', borderCollapse: 'collapse' }}>
          <tbody>
            {bought.map(
              ({ item, seller, price, purchaseId, personalUrl, before, licenses, ...line }) => (
                <tr key={purchaseId}>
                  <td style={ROW}>
                    <MailCover {...line} />
                    <a href={personalUrl}>{item}</a>
                    {seller}
                    <br />
                    <small>{say('Order number: {number}', { number: purchaseId })}</small>
                    <Licenses of={licenses} />
                    {before && <Before {...before} />}
                  </td>
                  <td style={{ ...ROW, textAlign: 'right' }}>{price}</td>
                </tr>
              ),
            )}
            {taxCents > 0 && (
              <tr>
                <td style={ROW}>{say('Tax')}</td>
                <td style={{ ...ROW, textAlign: 'right' }}>{tax}</td>
              </tr>
            )}
            <PaidRow day={day} total={total} />
          </tbody>
        </table>
        <MailNote>{paid}</MailNote>
        <MailNote>
          {keep} {support}
        </MailNote>
        <MailNote>
          <WhenLost origin={input.origin} />
        </MailNote>
      </>
    ),
    paragraphs: [
      say('Thank you for your purchases'),
      ...bought.map(({ item, seller, price, purchaseId, personalUrl, before, licenses }) =>
        [
          `${item}${seller}: ${price}`,
          say('Order number: {number}', { number: purchaseId }),
          say('Open it: {address}', { address: personalUrl }),
          ...describeLicenses(licenses),
          ...(before ? [before.words, `${before.way}: ${before.returnUrl}`] : []),
        ].join('\n'),
      ),
      `${taxCents > 0 ? `${say('Tax: {tax}.', { tax })} ` : ''}${say('Total: {total}, paid on {day}', { total, day })}`,
      paid,
      `${keep} ${support}`.trim(),
      whenLost(input.origin),
    ],
  });
}

const searchAddress = (origin: string) => `${origin}/purchases`;

const whenLost = (origin: string) =>
  say('If this email ever gets lost, find your purchases by your address: {address}', {
    address: searchAddress(origin),
  });

const WhenLost = ({ origin }: { origin: string }) =>
  sayWith('If this email ever gets lost, {find}.', {
    find: <a href={searchAddress(origin)}>{say('find your purchases by your address')}</a>,
  });

/** What was paid for has not been downloaded, and perhaps the receipt got lost. */
export function reminder(input: MailInput<'reminder'>): Mail {
  const { personalUrl, title, linkId } = input;
  return plainMail({
    ...input,
    subject: say('Your purchase is waiting: {item}', { item: nameLink({ id: linkId, title }) }),
    title: say('Your purchase is waiting for you'),
    lead: say(
      'Your purchase has not been fully downloaded yet. It is yours to keep: this link opens it on any device.',
    ),
    button: { href: personalUrl, label: say('Open your purchase') },
    note: say(
      'This link is personal: anyone who has it can open your purchase. This is the only reminder.',
    ),
  });
}

/** A delayed payment did not arrive: what that means, and where to try again. */
export function paymentFailed(input: MailInput<'paymentFailed'>): Mail {
  const { title, linkId, amountCents } = input;
  const item = nameLink({ id: linkId, title });
  return plainMail({
    ...input,
    subject: say('Your payment did not go through: {item}', { item }),
    title: say('Your payment did not go through'),
    lead: say('The payment of {price} for {item} was not completed. Nothing was charged.', {
      price: formatPrice(amountCents),
      item,
    }),
    button: { href: paywallAddress(input.origin, linkId), label: say('Try again') },
    note: '',
  });
}

/** The link that opens everything that was paid with an address, and one to each gift that was. */
export function purchases(input: MailInput<'purchases'>): Mail {
  const { count, purchasesUrl, supportEmail } = input;
  const title = say('Your purchases');
  const lead = sayCount(
    count,
    '1 purchase was made with this address. Open this link on the device you want to use. It works for an hour.',
    '{count} purchases were made with this address. Open this link on the device you want to use. It works for an hour.',
  );
  const gifts = input.gifts.map(({ linkId, title: named, giftEmail, giftUrl }) => ({
    url: giftUrl,
    words: say('You gave {item} to {email}.', {
      item: nameLink({ id: linkId, title: named }),
      email: giftEmail,
    }),
  }));
  const keep = say(
    purchasesUrl
      ? 'If you did not request it, you can ignore this email. Please keep the link to yourself: anyone who has it can open your purchases.'
      : 'If you did not request it, you can ignore this email.',
  );
  const note = `${keep} ${writeTo(supportEmail)}`.trim();
  return writeMail({
    subject: title,
    origin: input.origin,
    body: (
      <>
        <MailTitle>{title}</MailTitle>
        {purchasesUrl && (
          <>
            <p style={{ margin: '0 0 24px' }}>{lead}</p>
            <MailButton href={purchasesUrl}>{say('Open your purchases')}</MailButton>
          </>
        )}
        {gifts.map(({ url, words }) => (
          <MailNote key={url}>
            {words} <a href={url}>{say('Your gift')}</a>
          </MailNote>
        ))}
        <MailNote>{note}</MailNote>
      </>
    ),
    paragraphs: [
      title,
      ...(purchasesUrl ? [lead, `${say('Open your purchases')}: ${purchasesUrl}`] : []),
      ...gifts.map(({ url, words }) => `${words} ${say('Your gift')}: ${url}`),
      note,
    ],
  });
}

/** There is a new version of what was bought, for buyers who wanted to know. */
export function versionNotice(input: MailInput<'versionNotice'>): Mail {
  const { linkId: id, version, sellerName, personalUrl, updatesUrl } = input;
  const item = nameLink({ id, title: input.title });
  const title = say('A new version is available');
  const seller = sellerName ? ` ${say('by {name}', { name: sellerName })}` : '';
  const lead = say(
    'Version {version} of {item} is available. It is yours at no charge, and you keep the version you bought.',
    { version, item: isolate(item) + seller },
  );
  const why = say('You get this email because you asked to be told about new versions.');
  return writeMail({
    subject: say('A new version: {item}', { item }),
    origin: input.origin,
    unsubscribeUrl: updatesUrl,
    body: (
      <>
        <MailTitle>{title}</MailTitle>
        <p style={{ margin: '0 0 24px' }}>{lead}</p>
        <MailButton href={personalUrl}>{say('Open your purchase')}</MailButton>
        <MailNote>
          {why} <a href={updatesUrl}>{say('Stop these emails')}</a>
        </MailNote>
      </>
    ),
    paragraphs: [
      title,
      lead,
      `${say('Open your purchase')}: ${personalUrl}`,
      `${why} ${say('Stop these emails')}: ${updatesUrl}`,
    ],
  });
}
