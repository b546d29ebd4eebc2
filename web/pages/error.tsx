import { MessagePage } from '../components/message-page.tsx';
import { SupportLine } from '../components/support-line.tsx';
import { definePage, type PageProps } from '../page.ts';

export const page = definePage({
  hydrate: 'never',
  status: () => 500,
  head: () => ({ title: 'Something went wrong · Padlink', robots: 'noindex' }),
  Component: ServerError,
});

function ServerError({ ctx }: PageProps<unknown>) {
  return (
    <MessagePage figure="stray-key" title="Something went wrong">
      <p>{ctx.error ?? 'This page could not be shown. Please try again in a moment.'}</p>
      <p className="text-base">
        Quote this number to support:{' '}
        <code className="select-all font-mono text-ink">{ctx.requestId}</code>
      </p>
      <SupportLine email={ctx.config.supportEmail} />
      <a className="button button-secondary text-base text-ink" href="/">
        Go to Homepage
      </a>
    </MessagePage>
  );
}
