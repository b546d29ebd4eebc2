/**
 * A page from the browser's history is shown as it was left, also after somebody signed in or out.
 * What belongs to an account stays hidden until it is known to be the viewer's still.
 */
export function reloadForAnotherViewer(viewerId: string | null) {
  addEventListener('pageshow', async ({ persisted }) => {
    if (!persisted) return;
    const root = document.documentElement;
    root.hidden = viewerId !== null;
    if (await isStillViewer(viewerId)) root.hidden = false;
    else location.reload();
  });
}

async function isStillViewer(viewerId: string | null): Promise<boolean> {
  try {
    const session = await (await fetch('/api/auth/get-session')).json();
    return (session?.user.id ?? null) === viewerId;
  } catch {
    // Without an answer nothing is known: what is private is not shown, everything else is.
    return viewerId === null;
  }
}
