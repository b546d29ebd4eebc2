type Query = Record<string, string>;

/** What the dashboard shows, in the order in which its address says so. */
const KEPT = ['days', 'show', 'q', 'sort', 'after'];

/** The dashboard's address with some of it changed; undefined leaves a part out. */
export function dashboardAddress(query: Query, changes: Record<string, string | undefined>) {
  const wanted: Record<string, string | undefined> = { ...query, ...changes };
  const parts = KEPT.flatMap((name) => {
    const value = wanted[name];
    return value ? [[name, value]] : [];
  });
  return `/dashboard${parts.length > 0 ? `?${new URLSearchParams(parts)}` : ''}`;
}
