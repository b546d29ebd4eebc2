import { type Sentence, say } from './languages/say.ts';
import { whenIdle } from './lib/when-idle.ts';
import './assets/icons/padlink.svg?url';
import type { PageDescription, PageModule } from './shell/hydrate-page.tsx';
import { watchViewer } from './shell/watch-viewer.ts';

/** Shown while waiting for a page (specification §2). */
const WORDS: Record<string, Sentence> = {
  '/dashboard': 'Loading your dashboard...',
  '/explore': 'Loading explore page...',
};

/** Milliseconds; most pages are there before. */
const PATIENCE_MS = 300;

/** The old page stays until the next one arrives: when that takes long, it says what is loading. */
function announceSlowNavigation() {
  let waiting = new AbortController();
  addEventListener('click', (event) => {
    const words = findWords(event);
    if (!words) return;
    waiting.abort();
    waiting = new AbortController();
    announce(words, waiting.signal);
  });
  // Stopped by the person, or shown again from the browser's history: nothing is loading.
  addEventListener('pagehide', () => waiting.abort());
  window.navigation?.addEventListener('navigateerror', () => waiting.abort());
}

function findWords(event: MouseEvent): Sentence | undefined {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || link?.target;
  if (!link || elsewhere || event.defaultPrevented || link.origin !== location.origin) return;
  return WORDS[link.pathname];
}

function announce(words: Sentence, until: AbortSignal) {
  const note = document.createElement('p');
  note.className = 'slow-navigation';
  note.role = 'status';
  document.body.append(note);
  const timer = setTimeout(() => {
    const spinner = document.createElement('span');
    spinner.className = 'spinner';
    note.append(spinner, say(words));
  }, PATIENCE_MS);
  until.addEventListener('abort', () => {
    clearTimeout(timer);
    note.remove();
  });
}

const TOUCHES = ['pointerdown', 'keydown', 'focusin'] as const;

/** Runs once: when the page has loaded and the browser is idle, or at the first touch. */
function whenIdleOrTouched(run: () => void) {
  const waiting = new AbortController();
  const runOnce = () => {
    if (waiting.signal.aborted) return;
    waiting.abort();
    run();
  };
  for (const touch of TOUCHES) addEventListener(touch, runOnce, { signal: waiting.signal });
  whenIdle(runOnce);
}

// The document names the icon; imported here as well, it is among the built files.

const description: PageDescription = JSON.parse(document.getElementById('page')?.textContent ?? '');
announceSlowNavigation();
watchViewer(description.ctx.viewer?.id ?? null);
// Browsers have it on https and on this machine only; development has none.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  whenIdle(() => void navigator.serviceWorker.register('/service-worker.js'));
}
let isHydrated = false;
/** What another language than English takes. */
const { speech } = description;
const learned = speech && import('./languages/speech.ts').then(({ learn }) => learn(speech));

async function hydrate() {
  const [{ hydratePage }, pageModule] = await Promise.all([
    import('./shell/hydrate-page.tsx'),
    import(/* @vite-ignore */ description.module) as Promise<PageModule>,
    learned,
  ]);
  // One that was under way when the page was left goes on when it is shown again, beside the next.
  if (isHydrated || 'sent' in document.documentElement.dataset) return;
  isHydrated = true;
  document.documentElement.dataset.awake = '';
  hydratePage(pageModule, description);
}

// Back from the browser's history: what was sent is no longer under way.
addEventListener('pageshow', ({ persisted }) => persisted && void hydrate());
if (description.hydrate === 'late') whenIdleOrTouched(() => void hydrate());
else void hydrate();
