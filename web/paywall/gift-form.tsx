import type { ReactNode } from 'react';
import { MAX_GIFT_MESSAGE_LENGTH } from '../../contract/limits.ts';
import { say } from '../languages/say.ts';
import type { PageContext } from '../page.ts';
import { Field, TextArea } from '../ui/field.tsx';

type Typed = Pick<PageContext, 'gift'>;

/** Whom a purchase is given to: whoever leaves it empty buys it for themselves. */
export function GiftFields({ gift }: Typed) {
  return (
    <details className="mb-3" open={gift !== undefined}>
      <summary className="disclosure">{say('This is a gift')}</summary>
      <GiftInputs
        gift={gift}
        hint={say('Leave it empty to buy this for yourself.')}
        required={false}
      />
    </details>
  );
}

interface GiftFormProps extends Typed {
  action: string;
  id: string;
  /** What else the checkout is told. */
  children: ReactNode;
}

/** Buys what the viewer has already for someone else. */
export function GiftForm({ action, id, gift, children }: GiftFormProps) {
  return (
    <details className="mt-4" open={gift !== undefined}>
      <summary className="disclosure">{say('Buy it as a gift')}</summary>
      <form action={action} className="mt-2" method="post">
        <input name="paywallId" type="hidden" value={id} />
        {children}
        <GiftInputs gift={gift} required />
        <button
          className="button button-secondary mt-4 w-full"
          data-busy-label={say('Unlocking...')}
          type="submit"
        >
          {say('Go to the checkout')}
        </button>
      </form>
    </details>
  );
}

function GiftInputs({ gift, hint, required }: Typed & { hint?: string; required: boolean }) {
  return (
    <div className="mt-2 space-y-3 text-sm">
      <p className="text-muted">
        {say(
          'Once you have paid, we email a personal link to the recipient, and a receipt to you.',
        )}
      </p>
      <Field
        autoComplete="off"
        defaultValue={gift?.email}
        hint={hint}
        label={say('Recipient’s email address')}
        maxLength={254}
        name="giftEmail"
        required={required}
        type="email"
      />
      <TextArea
        defaultValue={gift?.message}
        label={say('Message (optional)')}
        maxLength={MAX_GIFT_MESSAGE_LENGTH}
        name="giftMessage"
        rows={3}
      />
    </div>
  );
}
