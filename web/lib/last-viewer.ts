const LAST_VIEWER = 'padlink.viewer';

/**
 * Tells the other tabs who is signed in here; a browser that never had an account stores nothing.
 */
export function tellOtherTabs(viewerId: string | null): void {
  try {
    if (viewerId !== null || localStorage.getItem(LAST_VIEWER) !== null) {
      localStorage.setItem(LAST_VIEWER, viewerId ?? '');
    }
  } catch {
    // A browser that keeps nothing finds out when a tab is looked at.
  }
}

/** Runs when another tab finds someone else, or nobody, signed in. */
export function onOtherViewer(run: () => void): void {
  addEventListener('storage', ({ key }) => key === LAST_VIEWER && run());
}

/** Whether someone was signed in with this browser before. */
export function hadViewer(): boolean {
  try {
    return localStorage.getItem(LAST_VIEWER) !== null;
  } catch {
    return false;
  }
}
