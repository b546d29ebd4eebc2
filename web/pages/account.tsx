import { definePage, type PageProps } from '../page.ts';

export const page = definePage({
  hydrate: 'now',
  head: () => ({ title: 'Account · Padlink', robots: 'noindex' }),
  Component: Account,
});

/** Everything a creator settles once: who they are, how they sign in, their keys. */
function Account({ ctx }: PageProps<unknown>) {
  return (
    <div className="list-page">
      <h1 className="text-3xl sm:text-4xl">Account</h1>
      <p className="text-muted">Signed in as {ctx.viewer?.firstName}.</p>
    </div>
  );
}
