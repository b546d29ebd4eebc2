import { useState } from 'react';
import type { PageContext } from '../page.ts';
import { dashboardAddress } from './dashboard-address.ts';
import type { DashboardData } from './dashboard-query.ts';

/** The link that the page's address asks to edit, and whether there is none to be edited. */
export function useAskedEdit({ getPaywallLink: asked }: DashboardData, ctx: PageContext) {
  const own = asked?.mine && asked.deletedAt === null ? asked : null;
  const [editing, setEditing] = useState(own);
  const { edit } = ctx.query;

  function close() {
    setEditing(null);
    // Loaded again, the page must not ask once more.
    history.replaceState(history.state, '', dashboardAddress(ctx.query, {}));
  }

  const failed = ctx.failed?.getPaywallLink !== undefined;
  return { editing, close, notMine: edit && !own && !failed ? edit : null };
}
