import { CARD_HEIGHT, CARD_WIDTH } from '../../../contract/limits.ts';
import { cutKey } from '../../../contract/links.ts';
import { nameLink } from '../../../contract/name-link.ts';
import type { Card } from '../../links/cover.ts';

/** The light colors of web/styles/tokens.css, as the drawing needs them. */
const COLOR = {
  paper: '#f5f7f9',
  card: '#ffffff',
  well: '#eceff3',
  line: '#dce0e6',
  edge: '#828894',
  ink: '#131b29',
  muted: '#525a68',
  brass: '#fabf36',
  brassEdge: '#c58c1d',
};

/** White words on it are readable even where the cover is white. */
const SHADE =
  'linear-gradient(to bottom, rgba(10, 15, 24, 0.1) 0%, rgba(10, 15, 24, 0.35) 30%, rgba(10, 15, 24, 0.8) 55%, rgba(10, 15, 24, 0.92) 100%)';

const TITLE_SIZES = [
  { upTo: 40, fontSize: 56 },
  { upTo: 70, fontSize: 50 },
];

interface Element {
  type: string;
  props: Record<string, unknown>;
}

/** What is drawn of a card: over its cover, or all of it. */
export function layOutCard(card: Card): Element {
  const title = readableOnCard(card.name) ?? nameLink({ id: card.id, title: null });
  const seller = readableOnCard(card.seller);
  return card.cover ? overCover(card, title, seller) : ticket(card, title, seller);
}

/** Words on the dark end of a gradient: the cover, whatever it shows, fills the whole card. */
function overCover({ price, isPage }: Card, title: string, seller: string | null): Element {
  return box(
    {
      width: CARD_WIDTH,
      height: CARD_HEIGHT,
      padding: 56,
      flexDirection: 'column',
      justifyContent: 'flex-end',
      backgroundImage: SHADE,
      color: COLOR.card,
    },
    box(
      { flexDirection: 'column', gap: 12 },
      text({ ...titleStyle(title), lineClamp: 3 }, title),
      seller && text({ fontSize: 32, lineClamp: 1 }, `by ${seller}`),
    ),
    box(
      { alignItems: 'center', justifyContent: 'space-between', paddingTop: 28 },
      box(
        isPage
          ? { fontSize: 32 }
          : {
              padding: '12px 30px',
              borderRadius: 18,
              background: COLOR.brass,
              color: COLOR.ink,
              fontSize: 48,
              fontWeight: 600,
              letterSpacing: -1.5,
            },
        text({}, price),
      ),
      text({ fontSize: 32, fontWeight: 600 }, 'Padlink'),
    ),
  );
}

/** The ticket of the paywall page: the key, the words, and the price on the stub below. */
function ticket({ id, price, isPage }: Card, title: string, seller: string | null): Element {
  return box(
    { width: CARD_WIDTH, height: CARD_HEIGHT, padding: 48, background: COLOR.paper },
    box(
      {
        width: '100%',
        border: `1px solid ${COLOR.line}`,
        borderRadius: 28,
        background: COLOR.card,
        color: COLOR.ink,
      },
      picture(id),
      box(
        { flexDirection: 'column', flex: 1, padding: '44px 52px' },
        box(
          { alignItems: 'center', gap: 14, fontSize: 30, fontWeight: 600 },
          lock(38),
          text({}, 'Padlink'),
        ),
        box(
          { flexDirection: 'column', flex: 1, justifyContent: 'center', gap: 14 },
          text(titleStyle(title), title),
          seller && text({ color: COLOR.muted, fontSize: 32, lineClamp: 1 }, `by ${seller}`),
        ),
        box(
          {
            alignItems: 'center',
            justifyContent: 'space-between',
            paddingTop: 30,
            borderTop: `3px dashed ${COLOR.line}`,
          },
          text(
            isPage ? { fontSize: 32 } : { fontSize: 60, fontWeight: 600, letterSpacing: -2 },
            price,
          ),
          !isPage &&
            text(
              {
                padding: '16px 34px',
                border: `1px solid ${COLOR.brassEdge}`,
                borderRadius: 18,
                background: COLOR.brass,
                fontSize: 32,
                fontWeight: 600,
              },
              'Unlock',
            ),
        ),
      ),
    ),
  );
}

function titleStyle(title: string) {
  const size = TITLE_SIZES.find(({ upTo }) => title.length <= upTo) ?? { fontSize: 42 };
  return {
    fontSize: size.fontSize,
    fontWeight: 600,
    letterSpacing: -1.5,
    lineHeight: 1.12,
    lineClamp: 4,
    wordBreak: 'break-word',
  };
}

/** The link's own key. */
function picture(id: string): Element {
  const key = { type: 'path', props: { d: cutKey(id), fill: COLOR.ink } };
  return box(
    {
      width: 471,
      flexShrink: 0,
      alignItems: 'center',
      justifyContent: 'center',
      borderTopLeftRadius: 27,
      borderBottomLeftRadius: 27,
      borderRight: `1px solid ${COLOR.line}`,
      background: COLOR.well,
    },
    { type: 'svg', props: { width: 370, height: 148, viewBox: '0 0 100 40', children: [key] } },
  );
}

function lock(size: number): Element {
  const paths = [
    {
      d: 'M14.5 23v-8.5a9.5 9.5 0 0 1 19 0V30',
      stroke: COLOR.ink,
      fill: 'none',
      strokeWidth: 4.5,
    },
    {
      d: 'M14 21h20a6.5 6.5 0 0 1 6.5 6.5v10a6.5 6.5 0 0 1-6.5 6.5H14a6.5 6.5 0 0 1-6.5-6.5v-10A6.5 6.5 0 0 1 14 21Z',
      fill: COLOR.ink,
    },
    {
      d: 'M24 27.5a3 3 0 0 1 1.6 5.54v3.46a1.6 1.6 0 0 1-3.2 0v-3.46A3 3 0 0 1 24 27.5Z',
      fill: COLOR.brass,
    },
  ];
  const children = paths.map((props) => ({ type: 'path', props }));
  return { type: 'svg', props: { width: size, height: size, viewBox: '0 0 48 48', children } };
}

function box(style: object, ...children: (Element | false | '' | null)[]): Element {
  return {
    type: 'div',
    props: {
      style: { display: 'flex', boxSizing: 'border-box', ...style },
      children: children.filter(Boolean),
    },
  };
}

function text(style: object, children: string): Element {
  return { type: 'div', props: { style: { boxSizing: 'border-box', ...style }, children } };
}

/** The scripts that the card's fonts have glyphs for: Latin, as in the fonts folder. */
const COVERED =
  /^[\u0020-\u007e\u00a0-\u00a3\u00a5\u00a7-\u00ab\u00ae-\u00b0\u00b4\u00b6-\u00b8\u00ba-\u00bb\u00bf-\u0107\u010a-\u0113\u0116-\u011b\u011e-\u0123\u0126-\u0127\u012a-\u012b\u012e-\u0133\u0136-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u014d\u0150-\u015b\u015e-\u0161\u0164-\u0165\u016a-\u017e\u01cd-\u01ce\u0218-\u021b\u1e80-\u1e85\u1e9e\u1ef2-\u1ef3\u2013-\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u2039-\u203a\u20ac\u2122\u2191\u2193\u2212]+$/u;

const PICTOGRAPHS =
  /\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\u{1f1e6}-\u{1f1ff}]|\u200d|\ufe0f|\u20e3/gu;

/**
 * A text as a card can show it, without emoji; null if the fonts lack other characters of it: no
 * text is better than boxes.
 */
function readableOnCard(text: string | null): string | null {
  const words = text?.replace(PICTOGRAPHS, '').replace(/\s+/g, ' ').trim();
  return words && COVERED.test(words) ? words : null;
}
