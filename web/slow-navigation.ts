/** What is said while a page is waited for (specification §2). */
const WORDS: Record<string, string> = {
  '/dashboard': 'Loading your dashboard...',
  '/explore': 'Loading explore page...',
};

/** Milliseconds; most pages are there before. */
const PATIENCE_MS = 300;

/** The old page stays until the next one is there: when that takes long, it says what is coming. */
export function announceSlowNavigation() {
  let waiting = new AbortController();
  addEventListener('click', (event) => {
    const words = findWords(event);
    if (!words) return;
    waiting.abort();
    waiting = new AbortController();
    announce(words, waiting.signal);
  });
  // Stopped by the person, or shown again from the browser's history: nothing is waited for.
  addEventListener('pagehide', () => waiting.abort());
  window.navigation?.addEventListener('navigateerror', () => waiting.abort());
}

function findWords(event: MouseEvent): string | undefined {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || link?.target;
  if (!link || elsewhere || event.defaultPrevented || link.origin !== location.origin) return;
  return WORDS[link.pathname];
}

function announce(words: string, until: AbortSignal) {
  const note = document.createElement('p');
  note.className = 'slow-navigation';
  note.role = 'status';
  document.body.append(note);
  const timer = setTimeout(() => {
    const spinner = document.createElement('span');
    spinner.className = 'spinner';
    note.append(spinner, words);
  }, PATIENCE_MS);
  until.addEventListener('abort', () => {
    clearTimeout(timer);
    note.remove();
  });
}
