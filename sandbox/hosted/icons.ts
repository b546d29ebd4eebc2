import { html } from './html.ts';

/** Padlink's lock, closed until the payment opens it. Decoration: the words beside it tell. */
export const LOCK = html`<svg class="lock" viewBox="0 0 48 48" fill="none" aria-hidden="true"><path class="shackle" d="M14.5 23v-8.5a9.5 9.5 0 0 1 19 0V30" stroke-width="4.5" stroke-linecap="round"/><rect class="body" x="7.5" y="21" width="33" height="23" rx="6.5"/><path class="keyhole" d="M24 27.5a3 3 0 0 1 1.6 5.54v3.46a1.6 1.6 0 0 1-3.2 0v-3.46A3 3 0 0 1 24 27.5Z"/></svg>`;

export const WARNING = html`<svg class="icon" viewBox="0 0 20 20" fill="currentColor" aria-hidden="true"><path d="M10 2a8 8 0 1 0 0 16 8 8 0 0 0 0-16Zm0 4a1 1 0 0 1 1 1v3.5a1 1 0 1 1-2 0V7a1 1 0 0 1 1-1Zm0 9.1a1.15 1.15 0 1 1 0-2.3 1.15 1.15 0 0 1 0 2.3Z"/></svg>`;
