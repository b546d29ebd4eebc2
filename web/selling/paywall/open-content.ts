import { useSyncExternalStore } from 'react';
import { OPENING_COOKIE } from '../../../contract/links.ts';

/** After this, a waiting visitor can press again. */
const LONGEST_S = 30;
const LOOK_MS = 100;

/** A browser opens one address at a time: the next one takes the place of one that waits. */
let opening: string | null = null;
let waiting = new AbortController();
const listeners = new Set<() => void>();

/**
 * Goes to the content at one of our addresses, which counts as opening until it starts to arrive.
 */
export function openContent(address: string): void {
  if (opening === address) return;
  waiting.abort();
  waiting = new AbortController();
  const { signal } = waiting;
  // biome-ignore lint/suspicious/noDocumentCookie: the other way is missing on plain http.
  document.cookie = `${OPENING_COOKIE}=1; path=/; max-age=${LONGEST_S}; samesite=lax`;
  show(address);
  location.assign(address);

  const arrive = () => {
    waiting.abort();
    show(null);
  };
  const timer = setInterval(() => {
    if (!document.cookie.includes(`${OPENING_COOKIE}=`)) arrive();
  }, LOOK_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
  // Stopped by the person, or shown again from the browser's history: nothing is loading.
  window.navigation?.addEventListener('navigateerror', arrive, { signal });
  addEventListener('pageshow', arrive, { signal });
}

function show(address: string | null) {
  opening = address;
  for (const listener of listeners) listener();
}

/** The address whose content was requested on this page and has not started to arrive, or null. */
export function useOpening(): string | null {
  return useSyncExternalStore(
    subscribe,
    () => opening,
    () => null,
  );
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
