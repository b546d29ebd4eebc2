import { RequestError } from './request-error.ts';

/** Whether the server refused because nobody is signed in any more. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof RequestError && (error.status === 401 || error.code === 'UNAUTHORIZED');
}

/** The login page, which leads back to the page that is open. */
export function signInAddress(): string {
  return `/login?next=${encodeURIComponent(location.pathname + location.search)}`;
}
