import { AudienceCards } from '../components/audience-cards.tsx';
import { Counters } from '../components/counters.tsx';
import { LandingArt } from '../components/landing-art.tsx';
import { definePage, type PageProps } from '../page.ts';

const TAGLINE =
  'Share your knowledge, documents and resources — and get paid through secure links.';

export const page = definePage({
  hydrate: 'late',
  head: (_, ctx) => ({
    title: 'Padlink: Upload. Share. Earn.',
    description: TAGLINE,
    canonical: `${ctx.config.origin}/`,
  }),
  Component: Landing,
});

function Landing({ ctx }: PageProps<unknown>) {
  return (
    <>
      {!ctx.viewer && ctx.query.account === 'deleted' && (
        <p className="border-line border-b bg-well px-5 py-3 text-center font-medium" role="status">
          Your account is deleted.
        </p>
      )}
      <section className="mx-auto grid w-full max-w-6xl items-center gap-12 px-5 py-16 sm:px-8 sm:py-24 lg:grid-cols-[1.1fr_1fr]">
        <div>
          <h1 className="hero-title">Padlink</h1>
          <p className="mt-5 text-2xl font-semibold tracking-tight sm:text-3xl">
            Upload. Share. Earn.
          </p>
          <p className="mt-4 max-w-md text-lg text-muted sm:text-xl">{TAGLINE}</p>
          <a className="button button-primary mt-9 min-h-14 px-8 text-lg" href="/upload">
            Start earning
          </a>
        </div>
        <LandingArt fee={ctx.config.fee} />
      </section>
      <Counters targets={ctx.config.landingCounters} />
      <AudienceCards />
    </>
  );
}
