import { PROVIDER_MIN_CENTS } from '../../contract/limits.ts';
import { formatCents } from '../../contract/money.ts';
import { deliveryAddress } from '../lib/addresses.ts';
import { formatDay, formatPrice } from '../lib/format.ts';
import type { PageContext } from '../page.ts';
import { Alert } from '../ui/alert.tsx';
import { LinkPrice } from '../ui/link-key.tsx';
import type { PaywallLink } from './paywall-link.ts';
import { type Failure, Still, UnlockFailure, UnlockForm } from './unlock-form.tsx';

export type PaywallState =
  | 'locked'
  | 'unlocked'
  | 'suspended'
  /** The viewer has paid, and the payment is not settled yet. */
  | 'processing'
  | 'paused'
  /** What is on sale is still being checked, or was refused. */
  | 'pending'
  /** There is no such link. */
  | 'unknown'
  /** It could not be read. */
  | 'unread';

interface OfferProps {
  ctx: PageContext;
  link: PaywallLink | null;
  state: PaywallState;
  /** What the server has to say on this page. */
  error: Failure | undefined;
}

/** The price, and beside it what leads to the content. */
export function Offer(props: OfferProps) {
  const { link, state } = props;
  // Someone who has paid is not asked for the price again.
  const hasPrice = link && state !== 'suspended' && (!link.unlocked || link.mine || link.free);
  const paid = state === 'processing' ? link?.checkout?.price : null;
  const lowered = state === 'locked' ? link?.discount?.price : null;
  const shown = paid ?? lowered;
  return (
    <div className="paywall-offer mt-3 sm:mt-4">
      {hasPrice && (
        <p className="text-3xl font-semibold tracking-tight tabular-nums min-[52rem]:text-4xl">
          {shown == null ? <LinkPrice link={link} /> : formatPrice(shown)}
        </p>
      )}
      <Action {...props} />
      {state === 'locked' && (
        <Still>{import.meta.env.SSR && link?.takesCodes && <CodeForm {...props} />}</Still>
      )}
    </div>
  );
}

function Action({ ctx, link, state, error }: OfferProps) {
  const id = ctx.params.id ?? '';
  switch (state) {
    // The page says it already.
    case 'suspended':
    case 'processing':
      return null;
    case 'paused':
    case 'pending':
    case 'unknown':
      return error && <UnlockFailure {...error} />;
    case 'unread':
      return (
        <a className="button button-primary w-full text-lg" href={ctx.path}>
          Try again
        </a>
      );
    default:
      if (ctx.preview && state === 'locked') {
        return <Still>{import.meta.env.SSR && <PreviewButton id={id} query={ctx.query} />}</Still>;
      }
      return (
        <UnlockForm
          config={ctx.config}
          content={deliveryAddress(id, link?.files)}
          error={error}
          fields={
            import.meta.env.SSR && (
              <>
                {link && (link.left ?? link.until) !== null && <Limits link={link} />}
                <BuyerFields ctx={ctx} link={link} />
              </>
            )
          }
          id={id}
          state={state}
          type={link?.type}
        />
      );
  }
}

/** "3 left, until Nov 30, 2026" */
function Limits({ link: { left, until } }: { link: PaywallLink }) {
  const said = [
    left !== null && `${left} left`,
    // The moment at which it ends is no part of it.
    until && `until ${formatDay(Date.parse(until) - 1)}`,
  ];
  return <p className="mb-3 text-sm font-medium">{said.filter(Boolean).join(', ')}</p>;
}

type BuyerProps = Pick<OfferProps, 'ctx' | 'link'>;

/** What goes to the checkout beside the link: the price that the buyer names, or a discount code. */
function BuyerFields({ ctx, link }: BuyerProps) {
  if (link && link.least !== null) {
    return (
      <div className="mb-4">
        <label htmlFor="amount">Your price (USD)</label>
        <input
          aria-describedby="least"
          autoComplete="off"
          className="input mt-1"
          defaultValue={formatCents(link.price)}
          id="amount"
          inputMode="decimal"
          name="amount"
          type="text"
        />
        <p className="mt-1.5 text-sm text-muted" id="least">
          {link.least === 0
            ? `${formatPrice(PROVIDER_MIN_CENTS)} or more, or 0 to pay nothing.`
            : `${formatPrice(link.least)} or more.`}
        </p>
      </div>
    );
  }
  return link?.discount?.price ? <input name="code" type="hidden" value={ctx.query.code} /> : null;
}

/** What leads to a plain form that reloads the page with a discount code, or the form. */
function CodeForm({ ctx, link }: BuyerProps) {
  const { code } = ctx.query;
  const action = `/p/${ctx.params.id}`;
  if (!link || code === undefined) {
    return (
      <a className="text-link inline-flex min-h-11 items-center" href="?code=">
        Have a discount code?
      </a>
    );
  }
  const { price = null, refusal = null } = link.discount ?? {};
  return (
    <form action={action} className="mt-4">
      <label htmlFor="code">Discount code</label>
      <div className="mt-1 flex gap-2">
        <input
          aria-describedby="code-outcome"
          aria-invalid={refusal ? true : undefined}
          autoComplete="off"
          className="input min-w-0 flex-1"
          defaultValue={code}
          id="code"
          name="code"
          type="text"
        />
        <button className="button button-secondary" type="submit">
          Apply
        </button>
      </div>
      <div className="mt-2 text-sm" id="code-outcome">
        {price !== null && (
          <p>{`${formatPrice(link.price - price)} off the usual price of ${formatPrice(link.price)}.`}</p>
        )}
        {refusal && <Alert>{refusal}</Alert>}
      </div>
    </form>
  );
}

/** Looks like the buyer's button and says, once the page is there again, that it does nothing here. */
function PreviewButton({ id, query }: { id: string } & Pick<PageContext, 'query'>) {
  const isPressed = query.pressed !== undefined;
  return (
    <form action={`/p/${id}`}>
      <input name="preview" type="hidden" value="buyer" />
      <button
        className="button button-primary w-full text-lg"
        name="pressed"
        type="submit"
        value="yes"
      >
        Unlock Now
      </button>
      <p className={isPressed ? 'mt-3 text-sm' : ''} role="status">
        {isPressed && 'This is a preview: a buyer would go to the checkout now.'}
      </p>
    </form>
  );
}
