import type { PaywallLink } from '../../data/paywall-link.ts';
import type { PageContext } from '../../page.ts';
import { LinkPrice } from '../link-price.tsx';
import { UnlockFailure } from '../unlock-failure.tsx';
import { type Failure, UnlockForm } from '../unlock-form.tsx';
import { PreviewButton } from './preview-button.tsx';

export type PaywallState = 'locked' | 'unknown' | 'unlocked' | 'suspended' | 'paused';

interface OfferProps {
  ctx: PageContext;
  link: PaywallLink | null;
  state: PaywallState;
  /** What the server has to say on this page. */
  error: Failure | undefined;
}

/** The price, and beside it what leads to the content. */
export function Offer({ link, ...action }: OfferProps) {
  // Who paid is not asked for the price again.
  const hasPrice =
    link && action.state !== 'suspended' && (!link.unlocked || link.mine || link.free);
  return (
    <div className="paywall-offer mt-3 sm:mt-4">
      {hasPrice && (
        <p className="text-3xl font-semibold tracking-tight tabular-nums min-[52rem]:text-4xl">
          <LinkPrice link={link} />
        </p>
      )}
      <Action {...action} />
    </div>
  );
}

function Action({ ctx, state, error }: Omit<OfferProps, 'link'>) {
  const id = ctx.params.id ?? '';
  // The page says it already.
  if (state === 'suspended') return null;
  if (state === 'paused') return error && <UnlockFailure {...error} />;
  if (ctx.preview) return <PreviewButton id={id} query={ctx.query} />;
  return <UnlockForm config={ctx.config} error={error} id={id} state={state} />;
}
