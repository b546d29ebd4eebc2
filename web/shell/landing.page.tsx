import { useEffect, useRef, useState } from 'react';
import { type FeeRate, shareOut } from '../../contract/money.ts';
import { COUNTER_TARGETS, type RuntimeConfig } from '../../contract/runtime-config.ts';
import { type Sentence, say } from '../languages/say.ts';
import { sayWith } from '../languages/say-with.ts';
import { formatPrice } from '../lib/format.ts';
import { describeFee, describeHold, describePayouts } from '../lib/payout-terms.ts';
import { definePage, type PageContext, type PageProps } from '../page.ts';
import { icon, PenIcon } from '../ui/icons.tsx';
import { LinkKey } from '../ui/link-key.tsx';
import { Lock } from '../ui/spinner.tsx';
import { Steps } from '../ui/steps.tsx';
import { Still } from './raw.tsx';

interface Greeting {
  slogan: Sentence;
  tagline: Sentence;
  /** Where the button leads. */
  goOn: { href: string; label: Sentence };
}

const FOR_CREATORS: Greeting = {
  slogan: 'Upload. Share. Earn.',
  tagline: 'Share your knowledge, documents and resources — and get paid through secure links.',
  goOn: { href: '/upload', label: 'Start earning' },
};

/** Where the operator alone sells. */
const FOR_BUYERS: Greeting = {
  slogan: 'Pay once. Keep it.',
  tagline: 'Knowledge, documents and resources, through secure links.',
  goOn: { href: '/explore', label: 'See what is for sale' },
};

const greet = ({ config }: PageContext) =>
  config.payouts.kind === 'solo' ? FOR_BUYERS : FOR_CREATORS;

export const page = definePage({
  reads: ['account'],
  hydrate: 'late',
  head: (_, ctx) => ({
    title: say(greet(ctx).slogan),
    isHome: true,
    description: say(greet(ctx).tagline),
    canonical: `${ctx.config.origin}/`,
  }),
  Component: Landing,
});

function Landing({ ctx }: PageProps<unknown>) {
  const { slogan, tagline, goOn } = greet(ctx);
  const isShop = ctx.config.payouts.kind === 'solo';
  return (
    <>
      {!ctx.viewer && ctx.query.account === 'deleted' && (
        <p className="border-line border-b bg-well px-5 py-3 text-center font-medium" role="status">
          {say('Your account was deleted.')}
        </p>
      )}
      <section className="mx-auto grid w-full max-w-6xl items-center gap-12 px-5 py-16 sm:px-8 sm:py-24 lg:grid-cols-[1.1fr_1fr]">
        <div>
          <h1 className="hero-title">{ctx.config.siteName}</h1>
          <p className="mt-5 text-2xl font-semibold tracking-tight sm:text-3xl">{say(slogan)}</p>
          <p className="mt-4 max-w-md text-lg text-muted sm:text-xl">{say(tagline)}</p>
          <a className="button button-primary mt-9 min-h-14 px-8 text-lg" href={goOn.href}>
            {say(goOn.label)}
          </a>
        </div>
        <LandingArt fee={isShop ? null : ctx.config.fee} />
      </section>
      {!isShop && (
        <Counters
          site={ctx.config.siteName}
          targets={ctx.config.landingCounters ?? COUNTER_TARGETS}
        />
      )}
      {!isShop && <AudienceCards />}
      {!isShop && <Still>{import.meta.env.SSR && <Terms ctx={ctx} />}</Still>}
    </>
  );
}

const BookIcon = /* @__PURE__ */ icon(
  'M12 6.5C10 5 7 4.5 4 4.5v13c3 0 6 .5 8 2 2-1.5 5-2 8-2v-13c-3 0-6 .5-8 2Zm0 0v13',
);
const WaveIcon = /* @__PURE__ */ icon('M4 10v4M8 6.5v11M12 3.5v17M16 8v8M20 10.5v3');
const ChecklistIcon = /* @__PURE__ */ icon(
  'm4 6.5 1.5 1.5L8 5M4 16.5l1.5 1.5L8 15M12 6.5h8M12 16.5h8',
);

/** With an example of a link each: its address and its price in cents. */
const AUDIENCES = [
  {
    title: 'Students Sell Study Packs',
    text: 'Turn the notes, summaries and flashcards you already have into study packs that others pay for.',
    example: { id: '5af1c29e', price: 300 },
    AudienceIcon: BookIcon,
  },
  {
    title: 'Writers Share Premium Insights',
    text: 'For writers and freelancers: offer essays, reports and premium PDFs to your readers, one link at a time.',
    example: { id: '0c7e3b91', price: 199 },
    AudienceIcon: PenIcon,
  },
  {
    title: 'Producers Sell Project Files',
    text: 'Sell the project files behind your music and videos: sessions, presets, templates.',
    example: { id: 'e2f37188', price: 500 },
    AudienceIcon: WaveIcon,
  },
  {
    title: 'Coaches Share Toolkits',
    text: 'For coaches and educators: package worksheets, plans and checklists, and get paid every time they help someone.',
    example: { id: '9be41c07', price: 250 },
    AudienceIcon: ChecklistIcon,
  },
] as const;

function AudienceCards() {
  const { ref, inView } = useInView<HTMLUListElement>();
  return (
    <section className="mx-auto w-full max-w-6xl px-5 py-16 sm:px-8 sm:py-24">
      <h2 className="text-3xl sm:text-4xl">{say('Earn With What You Know')}</h2>
      <ul
        className="awaits-script audience-cards mt-10 grid gap-5 sm:grid-cols-2 lg:grid-cols-4"
        data-in-view={inView}
        ref={ref}
      >
        {AUDIENCES.map(({ title, text, example, AudienceIcon }) => (
          <li className="card audience-card" key={title}>
            <div className="p-6">
              <AudienceIcon className="mb-8 size-8" />
              <h3 className="text-xl">{say(title)}</h3>
              <p className="mt-3 text-muted">{say(text)}</p>
            </div>
            <p aria-hidden="true" className="audience-stub">
              <LinkKey className="w-14" id={example.id} />
              {formatPrice(example.price)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const COUNTER_LABELS = ['Users Signed Up', 'Links Monetized', 'Payouts Made'] as const;

function Counters({ site, targets }: { site: string; targets: number[] }) {
  return (
    <section
      aria-label={say('{site} in numbers', { site })}
      className="border-y border-line bg-card"
    >
      <dl className="mx-auto grid w-full max-w-6xl gap-y-8 px-5 py-12 sm:grid-cols-3 sm:divide-x sm:divide-line sm:px-8">
        {COUNTER_LABELS.map((label, position) => (
          <Counter key={label} label={say(label)} target={targets[position] ?? 0} />
        ))}
      </dl>
    </section>
  );
}

function Counter({ label, target }: { label: string; target: number }) {
  const { ref, inView } = useInView<HTMLElement>();
  const value = useCountUp(target, inView);
  return (
    <div className="flex flex-col-reverse justify-end sm:px-8 sm:first:pl-0">
      <dt className="mt-1 text-muted">{label}</dt>
      <dd
        className="awaits-script text-5xl font-semibold tracking-tight tabular-nums"
        data-in-view={inView}
        ref={ref}
      >
        {value}
        {value === target && '+'}
      </dd>
    </div>
  );
}

function Terms({ ctx }: { ctx: PageContext }) {
  const { fee, minimumPriceCents, payouts } = ctx.config;
  return (
    <div className="border-t border-line bg-card">
      <div className="mx-auto grid w-full max-w-6xl gap-12 px-5 py-16 sm:px-8 sm:py-24">
        <section aria-labelledby="how">
          <h2 className="mb-8 text-3xl sm:text-4xl" id="how">
            {say('How It Works')}
          </h2>
          <Steps />
        </section>
        <div className="grid items-start gap-12 text-lg sm:grid-cols-2">
          <section aria-labelledby="costs">
            <h2 className="text-3xl sm:text-4xl" id="costs">
              {say('What It Costs')}
            </h2>
            <p className="mt-5">
              {say('Nothing until you sell. The fee is {fee} per sale, card processing included.', {
                fee: describeFee(fee),
              })}
            </p>
            <ExampleFees fee={fee} minimumPriceCents={minimumPriceCents} />
          </section>
          <section aria-labelledby="arrival">
            <h2 className="text-3xl sm:text-4xl" id="arrival">
              {say('When the Money Comes')}
            </h2>
            <p className="mt-5">
              {`${say('What you receive is added to your balance with each sale.')} ${describeHold(payouts)} ${describePayouts(payouts)}`}
            </p>
          </section>
        </div>
      </div>
    </div>
  );
}

/** Cents. */
const EXAMPLE_PRICES = [100, 300, 500];

function ExampleFees({ fee, minimumPriceCents }: Pick<RuntimeConfig, 'fee' | 'minimumPriceCents'>) {
  const prices = EXAMPLE_PRICES.filter((price) => price >= minimumPriceCents);
  return (
    <div className="sales-table">
      <table>
        <caption className="sr-only">{say('What you keep')}</caption>
        <thead>
          <tr>
            {(['Price', 'Fee', 'You receive'] as const).map((name) => (
              <th className="whitespace-normal!" key={name} scope="col">
                {say(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {prices.map((price) => {
            const { feeCents, netCents } = shareOut(price, fee);
            return (
              <tr key={price}>
                <th scope="row">{formatPrice(price)}</th>
                <td>{formatPrice(feeCents)}</td>
                <td className="font-semibold">{formatPrice(netCents)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const EXAMPLE = { id: '1a2b3c4d', title: 'Exam notes', price: 499 } as const;

/**
 * The product in one picture: a link for sale, its lock opens, and what the creator earns, where
 * anyone may sell.
 */
function LandingArt({ fee }: { fee: FeeRate | null }) {
  const { id, title, price } = EXAMPLE;
  return (
    <div aria-hidden="true" className="landing-art">
      <div className="landing-sheet">
        <span className="landing-picture" />
        <span />
        <span />
        <span />
      </div>
      <div className="landing-card">
        <Lock className="lock-opens landing-lock" open />
        <p className="landing-ticket">
          <LinkKey id={id} />
          <span className="landing-title">{say(title)}</span>
          <span className="landing-price">{formatPrice(price)}</span>
        </p>
        <p className="landing-button">{say('Unlock Now')}</p>
      </div>
      <p className="landing-pill landing-pill-share">/p/{id}</p>
      {fee && (
        <p className="landing-pill landing-pill-earn">
          {sayWith('You receive {price}', {
            price: <b>{formatPrice(shareOut(price, fee).netCents)}</b>,
          })}
        </p>
      )}
    </div>
  );
}

/** Milliseconds each counter takes from zero to its target. */
const COUNT_UP_MS = 2000;

/**
 * Counts from zero to the target once `started` is true. While it is undefined, as in the server's
 * HTML, and with reduced motion, the value is the target.
 */
function useCountUp(target: number, started: boolean | undefined): number {
  const [value, setValue] = useState(target);

  useEffect(() => {
    if (started === undefined || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    setValue(0);
    if (!started) return;
    const start = performance.now();
    const step = (now: number) => {
      const progress = Math.min((now - start) / COUNT_UP_MS, 1);
      setValue(Math.floor(progress * target));
      if (progress < 1) frame = requestAnimationFrame(step);
    };
    let frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [target, started]);

  return value;
}

/** Whether an element has been scrolled into view yet; undefined until the browser knows. */
function useInView<Target extends Element>() {
  const ref = useRef<Target>(null);
  const [inView, setInView] = useState<boolean>();

  useEffect(() => {
    if (!ref.current) return;
    const observer = new IntersectionObserver(([entry]) => {
      setInView(entry?.isIntersecting);
      if (entry?.isIntersecting) observer.disconnect();
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);

  return { ref, inView };
}
