import type { AccessStep } from '../../contract/page-context.ts';
import { definePage, type PageProps } from '../page.ts';
import { MessagePage } from '../ui/message-page.tsx';

export const page = definePage({
  hydrate: 'never',
  head: ({ step }: AccessStep) => ({ title: `${TITLES[step]} · Padlink`, robots: 'noindex' }),
  Component: Access,
});

const TITLES = { open: 'Your purchase', 'open-all': 'Your purchases' };

/** A link that was mailed. Opening it takes a press, since mail scanners follow links too. */
function Access({ ctx, data: { step } }: PageProps<AccessStep>) {
  return (
    <MessagePage figure="lock-open" title={TITLES[step]}>
      <p>
        {step === 'open'
          ? 'This personal link unlocks your purchase on this device. Please keep it to yourself.'
          : 'This link unlocks everything you bought with your email address on this device. Please keep it to yourself.'}
      </p>
      <form action={ctx.path} className="text-base text-ink" method="post">
        <button className="button button-primary" type="submit">
          {step === 'open' ? 'Open your purchase' : 'Open your purchases'}
        </button>
      </form>
    </MessagePage>
  );
}
