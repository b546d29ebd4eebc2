import { type Sentence, say } from '../languages/say.ts';
import { onOtherViewer, tellOtherTabs } from '../lib/last-viewer.ts';
import { isOnTheWayOut, watchSignOut } from '../lib/sign-in-again.ts';

/** Milliseconds between two looks while the page is in view: a session may just expire. */
const LOOK_AGAIN_MS = 60_000;

/**
 * A page stays as it was while someone signs in or out in another tab or on another device, or a
 * session ends. What belongs to an account is shown only as long as it is the viewer's: then the
 * page is reloaded, and the server decides what to show.
 */
export function watchViewer(viewerId: string | null): void {
  tellOtherTabs(viewerId);
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    // From the browser's history: hidden until it is known to be the viewer's still.
    if (viewerId !== null) content().hidden = true;
    void look({ trusting: viewerId === null });
  });
  if (viewerId === null) return;
  watchSignOut();
  const lookInView = () => {
    if (document.visibilityState === 'visible') void look({ trusting: true });
  };
  document.addEventListener('visibilitychange', lookInView);
  setInterval(lookInView, LOOK_AGAIN_MS);
  onOtherViewer(() => void look({ trusting: true }));

  /** Without a response nothing is known: a trusted page stays as it is. */
  async function look({ trusting }: { trusting: boolean }): Promise<void> {
    const now = await findViewer();
    if (now === viewerId) show(viewerId);
    else if (isOnTheWayOut()) return;
    else if (now !== undefined || !trusting) leave(now);
  }
}

async function findViewer(): Promise<string | null | undefined> {
  try {
    const answer = await fetch('/api/auth/get-session');
    if (!answer.ok) return undefined;
    const session: { user: { id: string } } | null = await answer.json();
    return session?.user.id ?? null;
  } catch {
    return undefined;
  }
}

const NOTICE_ID = 'hidden-page';

interface Notice {
  title: Sentence;
  text: Sentence;
  /** What leads on. */
  words?: Sentence;
  href?: string;
}

const NOTICES = {
  signedOut: {
    title: 'You are signed out',
    text: 'Sign in to see this page again. Any unsaved changes are still here.',
    words: 'Sign in',
    href: '/login?mode=sign-in',
  },
  otherAccount: {
    title: 'Another account is signed in',
    text: 'This page belongs to the account that was signed in before. Sign in to that account to see it again. Any unsaved changes are still here.',
    words: 'Open the dashboard',
    href: '/dashboard',
  },
  unknown: {
    title: 'This page is hidden for now',
    text: 'Your sign-in could not be checked. This is tried again every minute. Any unsaved changes are still here.',
  },
} satisfies Record<string, Notice>;

const content = () => document.getElementById('root') as HTMLElement;

function show(viewerId: string | null): void {
  document.getElementById(NOTICE_ID)?.remove();
  content().hidden = false;
  tellOtherTabs(viewerId);
}

/**
 * If something unsaved keeps the browser from leaving, the page stays hidden for its owner.
 * @param now who is signed in, as far as known
 */
function leave(now: string | null | undefined): void {
  content().hidden = true;
  const known = document.getElementById(NOTICE_ID);
  const cause = causeOf(now);
  if (known?.dataset.cause === cause) return;
  known?.remove();
  const { title, text, words, href }: Notice = NOTICES[cause];
  const action = words
    ? `<a class="button button-primary" href="${href}" rel="noopener" target="_blank">${say(words)}</a>`
    : '';
  document.body.insertAdjacentHTML(
    'beforeend',
    `<main class="mx-auto max-w-md px-5 py-16 text-center" data-cause="${cause}" id="${NOTICE_ID}">
      <h1 class="text-2xl">${say(title)}</h1>
      <p class="mt-3 mb-6 text-muted">${say(text)}</p>
      ${action}
    </main>`,
  );
  location.reload();
}

function causeOf(now: string | null | undefined): keyof typeof NOTICES {
  if (now === undefined) return 'unknown';
  return now === null ? 'signedOut' : 'otherAccount';
}
