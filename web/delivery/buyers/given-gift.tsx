import type { GivenGiftData } from '../../../contract/page-context.ts';
import { type Sentence, say } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { nameLink } from '../../lib/format.ts';
import type { PageContext } from '../../page.ts';
import { Alert } from '../../ui/alert.tsx';
import { Field } from '../../ui/field.tsx';
import { MessagePage, SupportLine } from '../../ui/message-page.tsx';

interface GivenGiftProps {
  ctx: PageContext;
  gift: GivenGiftData;
}

/** Where the buyer of a gift looks after it. */
export function GivenGift({ ctx, gift }: GivenGiftProps) {
  const name = nameLink({ id: gift.linkId, title: gift.title });
  return (
    <MessagePage figure="lock-closed" title={say('Your gift')}>
      <p className="wrap-anywhere">
        {sayWith('You gave {item} to {email}.', {
          item: name,
          email: <strong>{gift.email}</strong>,
        })}
      </p>
      {gift.isSent && (
        <p className="text-base font-medium text-ink" role="status">
          {say('It is on its way again.')}
        </p>
      )}
      <p className="text-base">{say(describe(gift))}</p>
      {ctx.error && (gift.isOpened || gift.isFromSeller) && <Alert>{ctx.error}</Alert>}
      {gift.state === 'active' && <SendAgain ctx={ctx} gift={gift} />}
      <SupportLine email={ctx.config.supportEmail} />
    </MessagePage>
  );
}

function describe({ state, isOpened, isFromSeller }: GivenGiftData): Sentence {
  if (state === 'ended') return 'Your payment was returned, so the gift has ended.';
  if (state === 'suspended') return 'Your payment is disputed, so the gift is on hold.';
  if (!isOpened && isFromSeller) return 'It has not been opened yet.';
  return isOpened
    ? 'It has been opened.'
    : 'It has not been opened yet. If the address is wrong, correct it here: the link that was sent before no longer works then.';
}

/** Its address can be corrected until somebody has opened it. */
function SendAgain({ ctx, gift: { isOpened, isFromSeller, email, typed } }: GivenGiftProps) {
  return (
    <form
      action={ctx.path}
      className="w-full max-w-xs space-y-4 text-left text-base text-ink"
      method="post"
    >
      {isOpened || isFromSeller ? (
        <input name="email" type="hidden" value={email} />
      ) : (
        <Field
          autoComplete="off"
          defaultValue={typed}
          label={say('Recipient’s email address')}
          maxLength={254}
          name="email"
          required
          type="email"
          {...(ctx.error && { error: ctx.error })}
        />
      )}
      <button
        className="button button-primary w-full"
        data-busy-label={say('Sending...')}
        type="submit"
      >
        {say('Send it again')}
      </button>
    </form>
  );
}
