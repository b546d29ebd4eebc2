import { say } from '../../languages/say.ts';
import { MessagePage, SupportLine } from '../../ui/message-page.tsx';

interface PaymentFailedProps {
  /** The link that was to be bought, if known. */
  linkId: string | undefined;
  support: string | undefined;
}

export function PaymentFailed({ linkId, support }: PaymentFailedProps) {
  return (
    <MessagePage figure="lock-closed" title={say('Payment Failed')}>
      <p>
        {say(
          'Unfortunately, your payment did not go through. Please try again or contact support if the issue persists.',
        )}
      </p>
      <SupportLine email={support} />
      <div className="flex flex-wrap justify-center gap-3 text-base text-ink">
        <a className="button button-primary" href="/">
          {say('Try Again')}
        </a>
        {linkId && (
          <a className="button button-secondary" href={`/p/${linkId}`}>
            {say('Back to the link')}
          </a>
        )}
      </div>
    </MessagePage>
  );
}
