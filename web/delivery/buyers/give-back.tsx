import type { ReturnData } from '../../../contract/page-context.ts';
import { type Sentence, say } from '../../languages/say.ts';
import { formatDay, formatPrice, nameLink } from '../../lib/format.ts';
import type { PageContext } from '../../page.ts';
import { Alert } from '../../ui/alert.tsx';
import { MessagePage, SupportLine } from '../../ui/message-page.tsx';

interface GiveBackProps {
  ctx: PageContext;
  bought: ReturnData;
}

/** Where a buyer gives back what they had bought before. */
export function GiveBack({ ctx, bought }: GiveBackProps) {
  const { linkId, title, returnedCents, firstPaidAt, state } = bought;
  const item = nameLink({ id: linkId, title });
  const price = formatPrice(returnedCents);
  const day = firstPaidAt === null ? '' : formatDay(firstPaidAt);
  return (
    <MessagePage figure="lock-open" title={say('Bought twice')}>
      <p className="wrap-anywhere" role={state === 'returned' ? 'status' : undefined}>
        {say(WORDS[state], { item, price, day })}
        {state === 'returned' && day && ` ${say('Your first purchase stays yours.')}`}
      </p>
      {ctx.error && <Alert>{ctx.error}</Alert>}
      {state === 'returnable' && (
        <form action={ctx.path} className="text-base text-ink" method="post">
          <button
            className="button button-primary"
            data-busy-label={say('Sending...')}
            type="submit"
          >
            {say('Give this purchase back')}
          </button>
        </form>
      )}
      <a
        className="text-link inline-flex min-h-11 items-center text-base text-ink"
        href={`/p/${linkId}`}
      >
        {say('The page of your purchase')}
      </a>
      <SupportLine email={ctx.config.supportEmail} />
    </MessagePage>
  );
}

const WORDS: Record<ReturnData['state'], Sentence> = {
  returnable:
    'You already bought {item} on {day} with the same address. If you give this second purchase back, {price} is refunded to you, and the first one stays yours.',
  returned:
    'You gave back your second purchase of {item}: {price} is being refunded to you. It usually takes 5 to 10 days for the money to reach your card.',
  disputed:
    'Your bank is looking into your second purchase of {item}, and will decide whether you get the money back.',
  over: 'The 24 hours for giving back your second purchase of {item} are over.',
  kept: 'Your first purchase of {item} no longer gives access, so this one stays yours.',
};
