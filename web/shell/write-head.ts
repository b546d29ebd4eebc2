import { escapeHtml } from '../../contract/escape-html.ts';
import type { PageContext, PageHead } from '../page.ts';

/** What browsers, and other sites, show as the title of a page. */
export function wholeTitle({ title, isHome }: PageHead, { config }: PageContext): string {
  return isHome ? `${config.siteName}: ${title}` : `${title} · ${config.siteName}`;
}

/**
 * What the head says of a page, as HTML. No browser hydrates it, and React would take as long for it
 * as for the page itself.
 * @param share what other sites and search engines read, as HTML
 */
export function writeHead(head: PageHead, ctx: PageContext, share: string): string {
  const { description, robots, canonical, feed, refreshWithoutScript: refresh } = head;
  return [
    `<title>${escapeHtml(wholeTitle(head, ctx))}</title>`,
    description ? writeTag('meta', { content: description, name: 'description' }) : '',
    robots ? writeTag('meta', { content: robots, name: 'robots' }) : '',
    canonical ? writeTag('link', { href: canonical, rel: 'canonical' }) : '',
    feed ? writeTag('link', { ...feed, rel: 'alternate', type: 'application/atom+xml' }) : '',
    share,
    refresh ? `<noscript>${writeRefresh(refresh)}</noscript>` : '',
  ].join('');
}

/** An element without content. */
export function writeTag(name: 'meta' | 'link', attributes: Record<string, string>): string {
  let tag = `<${name}`;
  for (const attribute in attributes) {
    tag += ` ${attribute}="${escapeHtml(attributes[attribute] ?? '')}"`;
  }
  return `${tag}/>`;
}

function writeRefresh({ seconds, to }: NonNullable<PageHead['refreshWithoutScript']>): string {
  const content = to === undefined ? String(seconds) : `${seconds}; url=${to}`;
  return writeTag('meta', { content, 'http-equiv': 'refresh' });
}
