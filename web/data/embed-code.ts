import { escapeHtml } from '../../contract/escape-html.ts';

interface Embedded {
  /** Of the product, without a trailing slash. */
  origin: string;
  id: string;
  name: string;
  /** "$4.99" */
  price: string;
}

const BUTTON_STYLE = [
  'display:inline-block',
  'padding:12px 22px',
  'border:1px solid #c58c1d',
  'border-radius:10px',
  'background:#fabf36',
  'color:#2a1d05',
  'font:600 16px/1.4 system-ui,sans-serif',
  'text-decoration:none',
].join(';');

/** HTML of a button for a creator's own site: a link and nothing else. */
export function buttonCode({ origin, id, name, price }: Embedded): string {
  return `<a href="${origin}/p/${id}" style="${BUTTON_STYLE}">${escapeHtml(name)} · ${price}</a>`;
}

/** The same, whose title and price a script keeps up to date. */
export function scriptCode({ origin, id, name }: Omit<Embedded, 'price'>): string {
  return (
    `<a href="${origin}/p/${id}" data-padlink="${id}">${escapeHtml(name)}</a>\n` +
    `<script async src="${origin}/embed.js"></script>`
  );
}
