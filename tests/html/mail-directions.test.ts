import { expect, test } from 'vitest';
import type { Mail } from '../../contract/mails.ts';
import { openBuiltWebApp } from '../../server/edge/pages/built-web-app.ts';
import { MAIL_INPUTS } from './mail-inputs.ts';

const { mails } = await openBuiltWebApp();
const KINDS = Object.keys(mails) as (keyof typeof mails)[];

const write = (kind: keyof typeof mails, input: object) =>
  (mails[kind] as (input: object) => Mail)(input);

const HEBREW = /[\u0590-\u05ff]/;
const LATIN = /[a-z]/i;
const SAMPLE = 'עברית "קובץ" 7 (חדש)!';
/** What people write, by its name in what mails are filled in with. */
const WRITTEN = new Set([
  ...['title', 'sellerName', 'firstName', 'giftMessage', 'message', 'words', 'suspendedBecause'],
  ...['fileName', 'name', 'address', 'reason'],
]);

/** The same, written in Hebrew. */
function inHebrew(input: unknown, name = ''): unknown {
  if (Array.isArray(input)) return input.map((item) => inHebrew(item));
  if (typeof input === 'string') {
    // What is wrong with a link is chosen from a list.
    if (!WRITTEN.has(name) || input === 'fraud') return input;
    return input.replace(/.+/g, SAMPLE);
  }
  if (typeof input !== 'object' || input === null) return input;
  const fields = Object.entries(input).map(([field, value]) => [field, inHebrew(value, field)]);
  return Object.fromEntries(fields);
}

/** Without what is laid out by itself. */
function dropIsolated(text: string): string {
  const rest = text.replace(/\u2068[^\u2068\u2069]*\u2069/g, '');
  return rest === text ? rest : dropIsolated(rest);
}

/** Lines in which Hebrew words stand among others, and could turn them round. */
const findTurned = (text: string): string[] =>
  text
    .split('\n')
    .map(dropIsolated)
    .filter((line) => HEBREW.test(line) && LATIN.test(line));

/** The texts between the tags that no element lays out by itself. */
function findTurnedHtml(html: string): string[] {
  const pieces = html.replace(/<style>.*?<\/style>/gs, '').split(/(<[^>]+>)/);
  return pieces.filter((piece, place) => {
    const isText = place % 2 === 0;
    const isAlone = pieces[place - 1]?.includes(' dir="auto"');
    return isText && HEBREW.test(isAlone ? '' : dropIsolated(piece));
  });
}

test.each(KINDS)('in the mail %s, what people wrote turns nothing else round', (kind) => {
  const filled = inHebrew(MAIL_INPUTS[kind]);
  for (const language of ['en', 'de']) {
    const { subject, text, html } = write(kind, { ...(filled as object), language });
    expect(findTurned(subject)).toEqual([]);
    expect(findTurned(text)).toEqual([]);
    expect(findTurnedHtml(html)).toEqual([]);
  }
});

test('mails of Latin texts have no signs of direction', () => {
  for (const kind of KINDS) {
    const { subject, text, html } = write(kind, { ...MAIL_INPUTS[kind], language: 'en' });
    expect(subject + text + html).not.toMatch(/[\u2066-\u2069]/);
  }
});

test('the words of a gift are laid out line by line', () => {
  const message = 'יום הולדת שמח!\nFrom Ann & Bob.';
  const { text, html } = write('gift', { ...MAIL_INPUTS.gift, title: SAMPLE, message });
  expect(text).toContain(
    `Someone bought \u2068${SAMPLE}\u2069 for you, and wrote:\n\n${message}\n`,
  );
  expect(html).toContain(
    '<div dir="auto">יום הולדת שמח!</div><div dir="auto">From Ann &amp; Bob.</div>',
  );
});
