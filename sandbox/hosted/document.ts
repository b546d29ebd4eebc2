import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that is markup already, and is not escaped again. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Value = Html | Html[] | string | number | false | null | undefined;

function render(value: Value): string {
  if (value instanceof Html) return value.markup;
  if (Array.isArray(value)) return value.map((item) => item.markup).join('');
  if (value === false || value === null || value === undefined) return '';
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] as string);
}

/** Markup in which every value is escaped, unless it is markup of this kind itself. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(render)));
}

/** Padlink's lock, closed until the payment opens it. Decoration: the words beside it tell. */
export const LOCK = html`<svg class="lock" viewBox="0 0 48 48" fill="none" aria-hidden="true"><path class="shackle" d="M14.5 23v-8.5a9.5 9.5 0 0 1 19 0V30" stroke-width="4.5" stroke-linecap="round"/><rect class="body" x="7.5" y="21" width="33" height="23" rx="6.5"/><path class="keyhole" d="M24 27.5a3 3 0 0 1 1.6 5.54v3.46a1.6 1.6 0 0 1-3.2 0v-3.46A3 3 0 0 1 24 27.5Z"/></svg>`;

export const WARNING = html`<svg class="icon" viewBox="0 0 20 20" fill="currentColor" aria-hidden="true"><path d="M10 2a8 8 0 1 0 0 16 8 8 0 0 0 0-16Zm0 4a1 1 0 0 1 1 1v3.5a1 1 0 1 1-2 0V7a1 1 0 0 1 1-1Zm0 9.1a1.15 1.15 0 1 1 0-2.3 1.15 1.15 0 0 1 0 2.3Z"/></svg>`;

/** Inline, so that it is there at the first paint: these pages are kept nowhere. */
const fonts = ['instrument-sans-accents', 'instrument-sans'].map((name) => {
  const file = new URL(`../../web/assets/fonts/${name}.woff2`, import.meta.url);
  const source = `url(data:font/woff2;base64,${readFileSync(file, 'base64')})`;
  return `@font-face{font-family:'Instrument Sans';font-weight:400 700;src:${source}}`;
});
const styles = fonts.join('') + readFileSync(new URL('./hosted.css', import.meta.url), 'utf8');
const script = readFileSync(new URL('./enhance.js', import.meta.url), 'utf8');

const styleTag = new Html(`<style>${styles}</style>`);
const scriptTag = new Html(`<script>${script}</script>`);

/** An answer in HTML, and the addresses outside this site that its forms may lead to. */
export interface Page {
  status: number;
  markup: string;
  formTargets: string[];
}

/** A whole document around some content. */
export function documentPage(
  content: Html,
  { title, status = 200, formTargets = [] }: Partial<Page> & { title: string },
): Page {
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
${styleTag}
</head>
<body>
<aside class="notice" aria-label="Payment mode"><strong>Sandbox: no real money.</strong> Never enter a real card here.</aside>
${content}
<footer>Padlink’s sandbox, a stand-in for the card-payment provider</footer>
${scriptTag}
</body>
</html>
`;
  return { status, markup, formTargets };
}

/** Allows the page its own style and script and nothing else; `Page.formTargets` by origin. */
function contentSecurityPolicy(formTargets: string[]): string {
  const targets = formTargets.map((url) => new URL(url).origin);
  return [
    "default-src 'none'",
    `style-src ${sourceHash(styles)}`,
    `script-src ${sourceHash(script)}`,
    'font-src data:',
    'img-src data:',
    // A form's redirect counts as well, so the address to return to has to be named.
    `form-action ${["'self'", ...new Set(targets)].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function sourceHash(source: string): string {
  return `'sha256-${createHash('sha256').update(source).digest('base64')}'`;
}

interface Message {
  status: number;
  title: string;
  text: string;
  /** Where to go from here, if there is anywhere. */
  link?: { href: string; label: string } | undefined;
}

/** Says why there is nothing to do here. */
export function messagePage({ status, title, text, link }: Message): Page {
  const content = html`<main class="narrow">
<div class="card">
<h1>${title}</h1>
<p>${text}</p>
${link && html`<p><a class="secondary" href="${link.href}">${link.label}</a></p>`}
</div>
</main>`;
  return documentPage(content, { title, status });
}

/** Where a request leads: to a page of ours, or on to another address. */
export type Answer = Page | { location: string };

const policies = new WeakMap<FastifyReply, string>();

export function sendAnswer(reply: FastifyReply, answer: Answer): FastifyReply {
  if ('location' in answer) return reply.redirect(answer.location, 303);
  policies.set(reply, contentSecurityPolicy(answer.formTargets));
  return reply.code(answer.status).type('text/html; charset=utf-8').send(answer.markup);
}

/**
 * Sets the headers of these pages as the last of all hooks: the product's own policy, meant for its
 * own pages, would refuse their style and the way back after the payment.
 */
export function setHeadersLast(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({
      'cache-control': 'no-store',
      'content-security-policy': policies.get(reply) ?? contentSecurityPolicy([]),
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
  });
}
