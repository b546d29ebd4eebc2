import type { ReactNode } from 'react';
import { say } from '../../languages/say.ts';
import type { PageContext } from '../../page.ts';
import { Field, TextArea } from '../../ui/field.tsx';

/** Whom a purchase is given to: shown where the address of the page asks for it. */
export function GiftFields({ gift }: Pick<PageContext, 'gift'>) {
  return (
    <fieldset className="mb-4 space-y-3 text-sm">
      <legend className="text-base font-medium">{say('A gift')}</legend>
      <p className="text-muted">
        {say(
          'Once you have paid, we email a personal link to the recipient, and a receipt to you.',
        )}
      </p>
      <Field
        autoComplete="off"
        defaultValue={gift?.email}
        label={say('Recipient’s email address')}
        maxLength={254}
        name="giftEmail"
        required
        type="email"
      />
      <TextArea
        defaultValue={gift?.message}
        label={say('Message (optional)')}
        name="giftMessage"
        rows={3}
      />
    </fieldset>
  );
}

interface GiftFormProps extends Pick<PageContext, 'gift'> {
  action: string;
  id: string;
  /** What else the checkout is told. */
  children: ReactNode;
}

/** Buys what the viewer has already for someone else. */
export function GiftForm({ action, id, gift, children }: GiftFormProps) {
  return (
    <form action={action} className="mt-4" method="post">
      <input name="paywallId" type="hidden" value={id} />
      <GiftFields gift={gift} />
      {children}
      <button
        className="button button-secondary w-full"
        data-busy-label={say('Unlocking...')}
        type="submit"
      >
        {say('Go to checkout')}
      </button>
    </form>
  );
}
