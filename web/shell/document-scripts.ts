import { BROWSERS_OWN } from '../service-worker.ts';

/**
 * Runs in the head, before anything is painted, so that a chosen theme never flashes the other one;
 * without a choice the system's holds. Also serves the switch in the footer, on pages that have no
 * other script. Written into the document as text: it may refer to nothing outside itself.
 */
function keepTheme() {
  const showTheme = () => {
    let chosen: string | null = null;
    try {
      chosen = localStorage.getItem('theme');
    } catch {
      // A browser without storage shows the system's theme.
    }
    if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
    else delete document.documentElement.dataset.theme;
    const current = document.documentElement.dataset.theme ?? 'system';
    for (const choice of document.querySelectorAll<HTMLInputElement>('[name=theme]')) {
      choice.checked = choice.value === current;
    }
  };
  showTheme();
  document.addEventListener('DOMContentLoaded', showTheme);
  // Chosen in another tab, or on a page since this one was left.
  addEventListener('storage', showTheme);
  addEventListener('pageshow', showTheme);
  addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== 'theme') return;
    try {
      if (target.value === 'system') localStorage.removeItem('theme');
      else localStorage.setItem('theme', target.value);
    } catch {
      return;
    }
    showTheme();
  });
}

/** The server allows it by its hash. */
export const THEME_SCRIPT = `(${keepTheme})()`;

/** The text of the speculation rules in every page; the server allows it by its hash. */
export const SPECULATION_RULES = JSON.stringify({
  prefetch: [
    {
      where: {
        and: [
          { href_matches: '/*' },
          ...BROWSERS_OWN.map((path) => ({ not: { href_matches: path } })),
        ],
      },
      eagerness: 'moderate',
    },
  ],
});

/**
 * Runs in the head: a cross-fade that the browser gives up by itself, because the next page was
 * shown already, rejects a promise that no script can reach. That is no error to tell of. Written
 * into the document as text: it may refer to nothing outside itself.
 */
function quietTransitions() {
  addEventListener('unhandledrejection', (event) => {
    const { reason } = event;
    const isTransition = reason instanceof DOMException && /^Transition was /.test(reason.message);
    if (isTransition) event.preventDefault();
  });
}

/** The server allows it by its hash. */
export const TRANSITIONS_SCRIPT = `(${quietTransitions})()`;
