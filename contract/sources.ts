/** What a source can be beside a host and a campaign: `direct` where no page led to the link. */
const WORDS = {
  direct: 'Direct',
  site: 'This site',
  explore: 'This site: explore',
  seller: 'This site: a seller’s page',
  other: 'Other',
} as const;

export type SourceWord = keyof typeof WORDS;

export const isSourceWord = (source: string): source is SourceWord => Object.hasOwn(WORDS, source);

const MAX_HOST_LENGTH = 100;
const HOST = /^(?=.*[a-z])[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;
/** Without what would be an address of a mailbox or of a page. */
const LABEL = /^[\p{L}\p{N}\p{M} ._~+-]{1,40}$/u;

/** A host as a source, lower case and without "www."; null for what is none. */
export function hostSource(host: string): string | null {
  const known = host.toLowerCase().replace(/^www\./, '');
  return known.length <= MAX_HOST_LENGTH && HOST.test(known) ? known : null;
}

/** A campaign as a source, "newsletter|email|spring"; null for one without a `source`. */
export function campaignSource(labels: [source: string, medium: string, name: string]) {
  const [source, ...others] = labels.map(readLabel);
  return source ? [source, ...others].join('|') : null;
}

/** '' for what may name a person, or is too long to name a campaign. */
function readLabel(typed: string): string {
  const label = typed.trim().replace(/\s+/g, ' ').toLowerCase();
  return LABEL.test(label) ? label : '';
}

/** The source that a page was told to hand on; `direct` for anything else. */
export function readSource(text: unknown): string {
  if (typeof text !== 'string' || text.length > 3 * 41) return 'direct';
  if (isSourceWord(text)) return text;
  const [source = '', medium, name, ...more] = text.split('|');
  if (medium === undefined) return hostSource(source) ?? 'direct';
  if (name === undefined || more.length > 0) return 'direct';
  return campaignSource([source, medium, name]) ?? 'direct';
}

/** "news.example", "newsletter / email / spring", "This site: explore" */
export function nameSource(source: string): string {
  return isSourceWord(source) ? WORDS[source] : source.split('|').filter(Boolean).join(' / ');
}
