import type { Page } from '../page.ts';
import { BROWSERS_OWN } from '../service-worker.ts';

// Each function is written into documents as text: it may refer to nothing outside itself.

/**
 * Runs in the head, before anything is painted, so that a chosen theme never flashes the other one;
 * without a choice the system's holds. Also serves the switch in the footer, on pages that have no
 * other script.
 */
function keepTheme() {
  const { dataset } = document.documentElement;
  const showTheme = () => {
    let chosen: string | null = null;
    try {
      chosen = localStorage.getItem('theme');
    } catch {
      // A browser without storage shows the system's theme.
    }
    if (chosen === 'light' || chosen === 'dark') dataset.theme = chosen;
    else delete dataset.theme;
    const current = dataset.theme ?? 'system';
    for (const choice of document.querySelectorAll<HTMLInputElement>('[name=theme]')) {
      choice.checked = choice.value === current;
    }
  };
  showTheme();
  // The last two: chosen in another tab, or on a page since this one was left.
  for (const event of ['DOMContentLoaded', 'storage', 'pageshow'])
    addEventListener(event, showTheme);
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

/** The text of the speculation rules in every page. */
export const SPECULATION_RULES = JSON.stringify({
  prefetch: [
    {
      where: {
        and: [{ href_matches: '/*' }, { not: { href_matches: BROWSERS_OWN } }],
      },
      eagerness: 'moderate',
    },
  ],
});

/**
 * Runs in the head: a cross-fade that the browser gives up by itself, because the next page was
 * shown already, rejects a promise that no script can reach. That is no error to tell of.
 */
function quietTransitions() {
  addEventListener('unhandledrejection', (event) => {
    if (/^Transition was /.test(event.reason?.message)) event.preventDefault();
  });
}

/**
 * Runs in the head: a page that comes back from the browser's history tells of the cart as it was. If
 * the cart was changed in this tab since, the page is asked for anew.
 */
function refreshCart() {
  addEventListener('submit', ({ target, submitter }) => {
    const to = submitter?.getAttribute('formaction') ?? (target as Element).getAttribute('action');
    if (to?.startsWith('/cart/')) sessionStorage.cart = Date.now();
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && sessionStorage.cart > performance.timeOrigin) location.reload();
  });
}

/**
 * Runs in the head of a page that is hydrated. A form sent before that is handled by the browser
 * itself, and its button says so as the hydrated one would. Until the browser returns to the page,
 * React must not hydrate it (`data-sent`); once it has (`data-awake`), nothing else may change what
 * it made.
 */
function markEarlySubmits() {
  const { dataset } = document.documentElement;
  let label = '';
  let button: HTMLButtonElement | undefined;
  addEventListener('submit', ({ defaultPrevented, submitter }) => {
    if (defaultPrevented || 'awake' in dataset) return;
    if (!(submitter instanceof HTMLButtonElement) || !submitter.dataset.busyLabel) return;
    label = submitter.textContent;
    button = submitter;
    button.textContent = submitter.dataset.busyLabel;
    dataset.sent = '';
    // A form disabled while it is being sent might not be sent.
    setTimeout(() => {
      submitter.disabled = true;
    });
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted || !button) return;
    button.textContent = label;
    button.disabled = false;
    button = undefined;
    delete dataset.sent;
  });
}

/**
 * Runs in the head of a page that is hydrated late: asks for the page's script when the page has been
 * painted, or at the first touch, so that nothing competes with what is seen: beside the font, it
 * delayed the largest paint by 310 of 1,000 ms.
 */
function loadAfterPaint() {
  const { src } = document.currentScript?.dataset ?? {};
  let isAsked = false;
  const load = () => {
    if (isAsked || src === undefined) return;
    isAsked = true;
    const script = document.createElement('script');
    script.type = 'module';
    script.src = src;
    // A connection that failed: the next touch asks again.
    script.onerror = () => {
      isAsked = false;
    };
    document.head.append(script);
  };
  for (const touch of ['pointerdown', 'keydown', 'focusin']) addEventListener(touch, load);
  new PerformanceObserver(load).observe({ type: 'paint', buffered: true });
  // A page in the background is not painted.
  addEventListener('load', () => setTimeout(load, 1_000));
}

/**
 * Runs in the head of a page that sells. A browser without a cookie yet may begin two checkouts at
 * once, in two tabs or before the page is alive: its key says that both are its own, to the browser's
 * own forms and to scripts alike.
 */
function tieCheckouts() {
  addEventListener('formdata', ({ formData }) => {
    if (!formData.has('paywallId')) return;
    try {
      let key = localStorage.getItem('checkout') ?? '';
      // Longer than a minute it would be good for nothing.
      if (!(Math.abs(Date.now() - Number.parseInt(key, 10)) < 60_000)) {
        key = `${Date.now()}.${crypto.getRandomValues(new Uint32Array(5)).join('.')}`;
        localStorage.setItem('checkout', key);
      }
      formData.set('key', key);
    } catch {
      // A browser without storage has no cookies either.
    }
  });
}

/** In the head of every document. */
export const EVERYWHERE = joined(keepTheme, quietTransitions, refreshCart);

/** In the head of a page's documents; empty where it has no behavior. */
export function behaviorOf(hydrate: Page<unknown>['hydrate'], sells: boolean): string {
  return joined(
    ...(hydrate === 'never' ? [] : [markEarlySubmits]),
    ...(sells ? [tieCheckouts] : []),
    ...(hydrate === 'late' ? [loadAfterPaint] : []),
  );
}

/** One script: the hash of each that a page has goes out with every answer. */
function joined(...functions: (() => void)[]): string {
  return functions.map((each) => `(${each})()`).join(';');
}
