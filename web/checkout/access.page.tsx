import { definePage, type PageProps } from '../page.ts';
import { MessagePage } from '../ui/message-page.tsx';

export const page = definePage({
  hydrate: 'never',
  head: () => ({ title: 'Your purchase · Padlink', robots: 'noindex' }),
  Component: Access,
});

/** The receipt's personal link. Opening it takes a press, since mail scanners follow links too. */
function Access({ ctx }: PageProps<unknown>) {
  return (
    <MessagePage figure="lock-open" title="Your purchase">
      <p>This personal link unlocks your purchase on this device. Please keep it to yourself.</p>
      <form action={ctx.path} className="text-base text-ink" method="post">
        <button className="button button-primary" type="submit">
          Open your purchase
        </button>
      </form>
    </MessagePage>
  );
}
