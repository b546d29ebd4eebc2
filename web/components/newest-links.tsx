import type { PageContext } from '../page.ts';

/** The way back to the beginning, on the following pages of a list. */
export function NewestLinks({ ctx }: { ctx: PageContext }) {
  if (!ctx.query.after) return null;
  return (
    <p>
      <a className="text-link inline-flex min-h-11 items-center" href={ctx.path}>
        Back to the newest links
      </a>
    </p>
  );
}
