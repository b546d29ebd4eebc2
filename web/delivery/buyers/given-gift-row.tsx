import { type Sentence, say } from '../../languages/say.ts';
import { formatDay, formatPrice } from '../../lib/format.ts';

const STATES: Record<string, Sentence | undefined> = {
  suspended: 'Your payment is disputed, so the gift is on hold.',
  ended: 'Your payment was returned, so the gift has ended.',
  unavailable: 'It is not available at the moment.',
};

interface GivenGiftRowProps {
  gift: { email: string; url: string };
  name: string;
  purchase: { seller: string | null; price: number | null; paidAt: string; state: string };
}

/** What somebody paid for and somebody else has: no content, and the way to look after it. */
export function GivenGiftRow({ gift, name, purchase }: GivenGiftRowProps) {
  const { seller, price, paidAt, state } = purchase;
  const fault = STATES[state];
  return (
    <>
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium wrap-anywhere">
          <bdi>{name}</bdi>
        </p>
        <p className="text-sm text-muted wrap-anywhere">
          {seller && `${say('by {name}', { name: seller })}, `}
          <time dateTime={paidAt}>{formatDay(paidAt)}</time>
        </p>
        <p className="mt-1 text-sm wrap-anywhere">
          {say('A gift for {email}', { email: gift.email })}
        </p>
        {fault && <p className="mt-1 text-sm">{say(fault)}</p>}
      </div>
      <div className="flex flex-1 flex-wrap items-center gap-x-4 gap-y-2 sm:flex-none">
        <span className="text-lg font-semibold tabular-nums">{formatPrice(price ?? 0)}</span>
        <a
          aria-label={say('Your gift: {item}', { item: name })}
          className="button button-secondary button-small ms-auto"
          href={gift.url}
        >
          {say('Your gift')}
        </a>
      </div>
    </>
  );
}
