import { chooseTones } from '../../../contract/drawn-cover.ts';
import type { CartPageData } from '../../../contract/page-context.ts';
import { say, tell } from '../../languages/say.ts';
import { formatPrice, nameLink, sayCount } from '../../lib/format.ts';
import { definePage, type PageProps } from '../../page.ts';
import { Alert } from '../../ui/alert.tsx';
import { LinkCover } from '../../ui/link-cover.tsx';

export const page = definePage({
  hydrate: 'never',
  head: () => ({ title: say('Your cart'), robots: 'noindex' }),
  Component: Cart,
});

/** What is paid together, and what of it cannot be bought any more. */
function Cart({ ctx, data }: PageProps<CartPageData>) {
  const { lines } = data;
  const tones = chooseTones(lines.map(({ linkId }) => linkId));
  return (
    <div className="list-page">
      <div>
        <h1 className="text-3xl sm:text-4xl">{say('Your cart')}</h1>
        <p className="mt-3 text-lg text-muted">{leadOf(data)}</p>
      </div>
      {ctx.error && <Alert>{ctx.error}</Alert>}
      {lines.length > 0 && (
        <ul className="card divide-y divide-line">
          {lines.map((line, place) => (
            <CartRow key={line.linkId} line={line} tone={tones[place]} />
          ))}
        </ul>
      )}
      {data.seen !== null && <Total {...data} seen={data.seen} />}
      <p>
        <a
          className={
            lines.length === 0 ? 'button button-secondary text-base text-ink' : 'text-link'
          }
          href="/explore"
        >
          {say(lines.length === 0 ? 'Explore what is sold here' : 'Continue shopping')}
        </a>
      </p>
    </div>
  );
}

function leadOf({ lines, count, total }: CartPageData): string {
  if (lines.length === 0) return say('Your cart is empty.');
  if (count === 0) return say('Nothing in your cart can be bought at the moment.');
  const left = lines.length - count;
  if (left > 0) {
    const payable = sayCount(count, '1 link to pay for.', '{count} links to pay for.');
    return `${payable} ${say('{count} cannot be bought.', { count: left })}`;
  }
  if (total === 0) return say('There is nothing to pay.');
  return sayCount(count, 'One link to pay for.', '{count} links, one payment.');
}

interface CartRowProps {
  line: CartPageData['lines'][number];
  /** Of its drawn cover. */
  tone: number | undefined;
}

function CartRow({ line, tone }: CartRowProps) {
  const { linkId, title, face, sellerName, price, listPrice, seenPrice, problem, refusal } = line;
  const name = nameLink({ id: linkId, title });
  return (
    <li className="dashboard-row">
      <LinkCover className="row-cover" face={face} id={linkId} tone={tone} />
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium wrap-anywhere">
          <a className="text-link -my-2.5 inline-block py-2.5" dir="auto" href={`/p/${linkId}`}>
            {name}
          </a>
        </p>
        {sellerName && (
          <p className="text-sm text-muted wrap-anywhere">
            {say('Sold by {seller}', { seller: sellerName })}
          </p>
        )}
        {problem && <p className="mt-1 text-sm font-medium text-danger">{tell(problem)}</p>}
        {refusal && <p className="mt-1 text-sm font-medium text-danger">{tell(refusal)}</p>}
        {price !== null && seenPrice !== null && (
          <p className="mt-1 text-sm font-medium">
            {say('The price is now {price}. It was {seen} when you added it.', {
              price: formatPrice(price),
              seen: formatPrice(seenPrice),
            })}
          </p>
        )}
      </div>
      <p className="text-right tabular-nums">
        {listPrice !== null && (
          <>
            <span className="sr-only">{`${say('Instead of')} `}</span>
            <s className="mr-2 text-sm text-muted">{formatPrice(listPrice)}</s>
          </>
        )}
        {price === null ? (
          ''
        ) : (
          <span className="font-semibold">{price === 0 ? say('Free') : formatPrice(price)}</span>
        )}
      </p>
      <form action="/cart/remove" className="ms-auto" method="post">
        <input name="paywallId" type="hidden" value={linkId} />
        <button className="button button-secondary" type="submit">
          {say('Remove')}
          <span className="sr-only">{` ${name}`}</span>
        </button>
      </form>
    </li>
  );
}

const PAID_NOTE =
  'Pay by card, no account needed. We email you a receipt with a personal link to each purchase.';
const FREE_NOTE = 'What is free stays in this browser, or in your account if you are signed in.';

function Total({ lines, total, sellers, net, seen }: CartPageData & { seen: string }) {
  return (
    <section aria-label={say('Total')} className="card space-y-4 p-6">
      <p className="flex items-baseline justify-between gap-4 text-xl font-semibold">
        <span>{say('Total')}</span>
        <span className="tabular-nums">{formatPrice(total)}</span>
      </p>
      {net.together > net.apart && (
        <p className="text-muted">
          {say(
            sellers === 1
              ? 'Paying once saves a fee: the seller receives {together} instead of {apart}.'
              : 'Paying once saves a fee: the sellers receive {together} instead of {apart}.',
            { together: formatPrice(net.together), apart: formatPrice(net.apart) },
          )}
        </p>
      )}
      <form action="/cart/checkout" method="post">
        <input name="seen" type="hidden" value={seen} />
        <button
          className="button button-primary w-full text-lg"
          data-busy-label={say('Checking out...')}
          type="submit"
        >
          {say('Check out')}
        </button>
      </form>
      <p className="text-sm text-muted">
        {[total > 0 && say(PAID_NOTE), lines.some(({ price }) => price === 0) && say(FREE_NOTE)]
          .filter(Boolean)
          .join(' ')}
      </p>
    </section>
  );
}
