import type { PageContext } from '../../page.ts';

/** Who is welcome here, and the ways to the account and out. */
export function DashboardHeader({ ctx }: { ctx: PageContext }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-5">
      <div>
        <h1 className="text-3xl sm:text-4xl">Welcome back, {ctx.viewer?.firstName}</h1>
        <p className="mt-3 text-lg text-muted">Manage your paywall links below.</p>
      </div>
      <form action="/logout" className="flex gap-2" method="post">
        <a className="button button-secondary button-small" href="/account">
          Account
        </a>
        <button className="button button-secondary button-small whitespace-nowrap" type="submit">
          Sign Out
        </button>
      </form>
    </div>
  );
}
