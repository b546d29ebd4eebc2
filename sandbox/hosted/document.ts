import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Html, html } from './html.ts';

const styles = readFileSync(new URL('./hosted.css', import.meta.url), 'utf8');
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
export function contentSecurityPolicy(formTargets: string[]): string {
  const targets = formTargets.map((url) => new URL(url).origin);
  return [
    "default-src 'none'",
    `style-src ${sourceHash(styles)}`,
    `script-src ${sourceHash(script)}`,
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
