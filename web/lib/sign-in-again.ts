import { postJson, RequestError } from './request-error.ts';

/** Whether the server refused because nobody is signed in anymore. */
export function isSignedOut(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  const { status, code } = error;
  // A wrong code from an authenticator app is a 401 as well.
  return code === 'UNAUTHORIZED' || (status === 401 && code !== 'INVALID_CODE');
}

/** Whether the server requires a more recent sign-in than this session's. */
export function isSignInStale(error: unknown): boolean {
  return error instanceof RequestError && error.code === 'SESSION_NOT_FRESH';
}

/** The login page, with the way back to the page that is open. */
export function signInAddress(): string {
  return `/login?next=${encodeURIComponent(location.pathname + location.search)}`;
}

/** On the way to another page: a second navigation would cut the first one off. */
let isLeaving = false;
/** Where something unsaved keeps the browser from leaving for the login page, this stays false. */
let isSigningOut = false;

/** Until the page is shown again, as the browser kept it. */
function leave(): void {
  isLeaving = true;
  const comeBack = () => {
    isLeaving = false;
    isSigningOut = false;
  };
  addEventListener('pageshow', comeBack, { once: true });
}

/**
 * The form that signs out ends the session because the person wants it to, also before React is
 * here: the browser is on its way already.
 */
export function watchSignOut(): void {
  addEventListener('submit', ({ target }) => {
    if ((target as Element).getAttribute('action') !== '/logout') return;
    isSigningOut = true;
    leave();
  });
}

export function isOnTheWayOut(): boolean {
  return isSigningOut;
}

/** Goes to the login page, once, when a session has ended unexpectedly. */
export function leadToSignIn(): void {
  if (isLeaving) return;
  leave();
  location.assign(signInAddress());
}

/** Awaits what needs a session, and goes to the login page if it has ended meanwhile. */
export async function needSession<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (isSignedOut(error)) leadToSignIn();
    throw error;
  }
}

/** Ends the session and goes through the login page back to the page that is open. */
export async function signInAgain(): Promise<void> {
  await postJson('/api/auth/sign-out', {});
  location.assign(signInAddress());
}
