import { formatCents } from '../../../contract/money.ts';
import { say, tell } from '../../languages/say.ts';
import { deliveryAddress } from '../../lib/addresses.ts';
import { formatPrice } from '../../lib/format.ts';
import { formatEnd } from '../../lib/format-end.ts';
import type { PageContext } from '../../page.ts';
import { Still } from '../../shell/raw.tsx';
import { Alert } from '../../ui/alert.tsx';
import { LinkPrice } from '../../ui/link-key.tsx';
import { GiftFields, GiftForm } from './gift-form.tsx';
import type { PaywallLink } from './paywall-link.ts';
import { type Failure, UnlockFailure, UnlockForm } from './unlock-form.tsx';

export type PaywallState =
  | 'locked'
  /** Nothing has to be paid: it is the viewer's own, or its creator made it free. */
  | 'free'
  /** The viewer bought it. */
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
  // Someone who has paid is not asked for the price again, and someone who names it writes it.
  const isNamed = state === 'locked' && link?.least != null;
  const isPaid = link?.bought?.length && !link.free;
  const hasPrice = link && state !== 'suspended' && !isPaid && !isNamed;
  const paid = state === 'processing' ? link?.checkout?.price : null;
  const lowered = state === 'locked' ? link?.discount?.price : null;
  const shown = paid ?? lowered;
  return (
    <div className="paywall-offer">
      {state === 'locked' && (
        <Still className="w-full text-sm font-medium empty:hidden">
          {import.meta.env.SSR && link && (link.left ?? link.until) !== null && sayLimits(link)}
        </Still>
      )}
      {hasPrice && (
        <p className="text-2xl font-semibold tracking-tight tabular-nums min-[52rem]:text-4xl">
          <LinkPrice
            link={shown == null ? link : { price: shown, least: null, free: shown === 0 }}
          />
        </p>
      )}
      <Action {...props} />
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
      return (
        <>
          {error && <UnlockFailure {...error} />}
          <Still>{import.meta.env.SSR && !link?.mine && <OtherLinks link={link} />}</Still>
        </>
      );
    case 'unread':
      return <Still>{import.meta.env.SSR && <TryAgain path={ctx.path} />}</Still>;
    default:
      // Its parts open on their own pages.
      if (state === 'unlocked' && link?.type === 'bundle') return null;
      if (ctx.preview && state === 'locked') {
        return <Still>{import.meta.env.SSR && <PreviewedForm ctx={ctx} link={link} />}</Still>;
      }
      return (
        <UnlockForm
          config={ctx.config}
          content={deliveryAddress(id, link?.files)}
          error={error}
          fields={
            import.meta.env.SSR &&
            state !== 'unknown' && (
              <>
                {joinsGift(ctx) && <ApplyOnEnter ctx={ctx} link={link} />}
                <BuyerFields asksForCode={joinsGift(ctx)} ctx={ctx} link={link} />
                <Origin from={ctx.from} />
                {isGift(ctx) && <GiftFields gift={ctx.gift} />}
              </>
            )
          }
          id={id}
          others={import.meta.env.SSR && state === 'locked' && <LeastHint ctx={ctx} link={link} />}
          state={state === 'unknown' ? 'locked' : state}
          type={link?.type}
        />
      );
  }
}

function TryAgain({ path }: { path: string }) {
  return (
    <a className="button button-primary w-full text-lg" href={path}>
      {say('Try again')}
    </a>
  );
}

/** Where to go on from what cannot be bought. */
function OtherLinks({ link }: Pick<OfferProps, 'link'>) {
  const handle = link?.sellerHandle;
  return (
    <a className="button button-secondary w-full" href={handle ? `/s/${handle}` : '/explore'}>
      {say(handle ? 'More from this seller' : 'Explore other links')}
    </a>
  );
}

/** "3 left, on sale until Nov 30, 2026 (UTC)" */
function sayLimits({ left, until }: PaywallLink): string {
  const said = [
    left !== null && say('{count} left', { count: left }),
    until && say('on sale until {day}', { day: formatEnd(until) }),
  ];
  const sentence = said.filter(Boolean).join(', ');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Another button of the form that leads to the checkout, with what the buyer says in it. */
function AddToCart({ ctx }: Pick<BuyerProps, 'ctx'>) {
  return (
    <button
      className="text-link min-h-11"
      form="unlock"
      {...(ctx.preview ? PRESSED_CART : { formAction: '/cart/add', name: 'cart' })}
      type="submit"
    >
      {say('Add to cart')}
    </button>
  );
}

type BuyerProps = Pick<OfferProps, 'ctx' | 'link'>;

const OR_NOTHING = '{price} or more, or 0 to pay nothing.';

/** What goes to the checkout beside the link: the price that the buyer names, or a discount code. */
function BuyerFields({ ctx, link, asksForCode }: BuyerProps & { asksForCode?: boolean }) {
  if (link && link.least !== null) {
    return (
      <>
        <label className="text-sm font-medium whitespace-nowrap" htmlFor="amount">
          {say('Your price (USD)')}
        </label>
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
      </>
    );
  }
  if (asksForCode || link?.discount?.price == null) return null;
  return <input name="code" type="hidden" value={ctx.query.code} />;
}

/** How little may be named. */
function LeastHint({ ctx, link }: BuyerProps) {
  if (!link || link.least === null) return null;
  return (
    <p className="text-sm text-muted" id="least">
      {say(link.least === 0 && !isGift(ctx) ? OR_NOTHING : '{price} or more.', {
        price: formatPrice(Math.max(link.least, ctx.config.providerMinimumCents)),
      })}
    </p>
  );
}

/** For whoever has bought it: what it takes to give it to someone else. */
export function BuyAsGift({ ctx, link }: BuyerProps) {
  const { checkoutApiEndpoint } = ctx.config;
  if (!link?.bought?.length || link.free || link.paused || !checkoutApiEndpoint) return null;
  if (!isGift(ctx)) return <GiftLink ctx={ctx} />;
  return (
    <GiftForm action={`${checkoutApiEndpoint}checkout`} gift={ctx.gift} id={link.id}>
      {link.least === null && (
        <p className="mb-3 text-2xl font-semibold tracking-tight tabular-nums">
          {formatPrice(link.discount?.price ?? link.price)}
        </p>
      )}
      <div className="mb-4 empty:hidden">
        <BuyerFields ctx={ctx} link={link} />
        <LeastHint ctx={ctx} link={link} />
      </div>
      <Origin from={ctx.from} />
    </GiftForm>
  );
}

/** Whether the visitor buys for someone else. */
const isGift = ({ gift, query }: PageContext) => gift !== undefined || query.gift !== undefined;

/** Whether a code is asked for in the form of a gift: what was typed there may be in no address. */
const joinsGift = (ctx: PageContext) => isGift(ctx) && !ctx.preview;

/** A button that brings the page again with the fields of the form that leads to the checkout. */
const againWith = (ctx: PageContext) =>
  ({ form: 'unlock', formAction: ctx.path, formNoValidate: true, type: 'submit' }) as const;

/**
 * Whoever presses Enter in a field of a form presses its first button: a code is applied by it, as
 * where nothing is given, and nobody is led to the checkout.
 */
function ApplyOnEnter({ ctx, link }: BuyerProps) {
  if (!link?.takesCodes || ctx.query.code === undefined) return null;
  return (
    <button aria-hidden="true" className="sr-only" {...againWith(ctx)} name="apply" tabIndex={-1} />
  );
}

/** Where the visitor came from, which later requests of this page do not tell. */
function Origin({ from }: Pick<PageContext, 'from'>) {
  return from ? <input name="from" type="hidden" value={from} /> : null;
}

/** What few buyers want: a discount code, to give what they buy, or to buy more at once. */
export function Extras({ ctx, link, offersCart }: BuyerProps & { offersCart: boolean }) {
  if (!link) return null;
  const code = link.takesCodes ? ctx.query.code : undefined;
  const isSold = link.price !== 0 && ctx.config.checkoutApiEndpoint;
  return (
    <>
      <p className="flex flex-wrap gap-x-5">
        {link.takesCodes && code === undefined && <AskForCode ctx={ctx} />}
        {/* What is free by a code is nobody's gift. */}
        {isSold && (link.discount?.price !== 0 || isGift(ctx)) && <GiftLink ctx={ctx} />}
        {/* A gift is bought by itself. */}
        {isSold && offersCart && !isGift(ctx) && <AddToCart ctx={ctx} />}
      </p>
      {code !== undefined && <CodeForm code={code} ctx={ctx} link={link} />}
    </>
  );
}

function AskForCode({ ctx }: Pick<BuyerProps, 'ctx'>) {
  const label = say('Have a discount code?');
  if (!joinsGift(ctx)) return <MoreLink ctx={ctx} label={label} with={{ code: '' }} />;
  return (
    <button className="text-link min-h-11" {...againWith(ctx)} name="code" value="">
      {label}
    </button>
  );
}

function GiftLink({ ctx }: Pick<BuyerProps, 'ctx'>) {
  return isGift(ctx) ? (
    <MoreLink ctx={ctx} label={say('Buy it for yourself')} with={{ gift: undefined }} />
  ) : (
    <MoreLink ctx={ctx} label={say('Give as a gift')} with={{ gift: '' }} />
  );
}

interface MoreLinkProps {
  ctx: PageContext;
  label: string;
  with: { code?: string; gift?: string | undefined };
}

/** Leads to the same page with another form. */
function MoreLink({ ctx, label, with: change }: MoreLinkProps) {
  return (
    <a
      className="text-link inline-flex min-h-11 items-center"
      href={addressWith(ctx, ctx.path, change)}
    >
      {label}
    </a>
  );
}

/** The address of a paywall page, with what this one was asked for and what is changed of that. */
export function addressWith(
  ctx: PageContext,
  path: string,
  change: MoreLinkProps['with'] = {},
): string {
  const { code } = ctx.query;
  const asked = {
    preview: ctx.preview && 'buyer',
    code,
    gift: isGift(ctx) ? '' : undefined,
    from: ctx.from,
    ...change,
  };
  const search = Object.entries(asked).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return search.length > 0 ? `${path}?${new URLSearchParams(search)}` : path;
}

interface CodeFormProps {
  ctx: PageContext;
  link: PaywallLink;
  code: string;
}

/** Reloads the page with a discount code: by a form of its own, or by that of a gift. */
function CodeForm({ ctx, link, code }: CodeFormProps) {
  const { price = null, refusal = null } = link.discount ?? {};
  const joined = joinsGift(ctx);
  const Form = joined ? 'div' : 'form';
  return (
    <Form {...(!joined && { action: ctx.path })} className="mt-4">
      {!joined && (
        <>
          {ctx.preview && <input name="preview" type="hidden" value="buyer" />}
          {isGift(ctx) && <input name="gift" type="hidden" />}
          <Origin from={ctx.from} />
        </>
      )}
      <label htmlFor="code">{say('Discount code')}</label>
      <div className="mt-1 flex gap-2">
        <input
          aria-describedby="code-outcome"
          aria-invalid={refusal ? true : undefined}
          autoComplete="off"
          className="input min-w-0 flex-1"
          defaultValue={code.trim()}
          dir="auto"
          form={joined ? 'unlock' : undefined}
          id="code"
          name="code"
          type="text"
        />
        <button
          className="button button-secondary"
          {...(joined ? { ...againWith(ctx), name: 'apply' } : { type: 'submit' })}
        >
          {say('Apply')}
        </button>
      </div>
      <div className="mt-2 text-sm" id="code-outcome">
        {price !== null && (
          <p>
            {say('{saved} off the usual price of {price}.', {
              saved: formatPrice(link.price - price),
              price: formatPrice(link.price),
            })}
          </p>
        )}
        {refusal && <Alert>{tell(refusal)}</Alert>}
      </div>
    </Form>
  );
}

const PRESSED_CART = { name: 'pressed', value: 'cart' };

/** Looks like the buyer's form and says, once the page is there again, that it does nothing here. */
function PreviewedForm({ ctx, link }: BuyerProps) {
  const { pressed } = ctx.query;
  return (
    <>
      {isGift(ctx) && <GiftFields gift={undefined} />}
      <form action={ctx.path} id="unlock">
        <input name="preview" type="hidden" value="buyer" />
        <div>
          <BuyerFields ctx={ctx} link={link} />
        </div>
        <button
          className="button button-primary w-full text-lg"
          name="pressed"
          type="submit"
          value="yes"
        >
          {say('Unlock Now')}
        </button>
        <LeastHint ctx={ctx} link={link} />
        <p className={pressed ? 'mt-3 text-sm' : ''} role="status">
          {pressed &&
            say(
              pressed === PRESSED_CART.value
                ? 'This is a preview: a buyer would now go to their cart.'
                : 'This is a preview: a buyer would now go to checkout.',
            )}
        </p>
      </form>
    </>
  );
}
