import { LINK_ID_PATTERN } from '../../contract/limits.ts';
import { MessagePage } from '../components/message-page.tsx';
import { SupportLine } from '../components/support-line.tsx';
import { definePage, type PageProps } from '../page.ts';

export const page = definePage({
  hydrate: 'never',
  head: () => ({ title: 'Payment Failed · Padlink', robots: 'noindex' }),
  Component: Failed,
});

function Failed({ ctx }: PageProps<unknown>) {
  const linkId = LINK_ID_PATTERN.test(ctx.query.link ?? '') ? ctx.query.link : undefined;
  return (
    <MessagePage figure="lock-closed" title="Payment Failed">
      <p>
        Unfortunately, your payment did not go through. Please try again or contact support if the
        issue persists.
      </p>
      <SupportLine email={ctx.config.supportEmail} />
      <div className="flex flex-wrap justify-center gap-3 text-base text-ink">
        <a className="button button-primary" href="/">
          Try Again
        </a>
        {linkId && (
          <a className="button button-secondary" href={`/p/${linkId}`}>
            Back to the link
          </a>
        )}
      </div>
    </MessagePage>
  );
}
