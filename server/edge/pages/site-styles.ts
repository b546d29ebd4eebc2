import { wordsOn } from '../../../contract/accent.ts';
import { PRODUCT_NAME } from '../../../contract/runtime-config.ts';

interface Look {
  siteName: string;
  logo: object | null;
  /** Such as #1d6fd8. */
  accent: string | null;
}

/** A name may be three times as long as the product's. */
const NAMED =
  '.brand{min-width:0;overflow-wrap:anywhere;line-height:1.15}.hero-title{font-size:clamp(2.75rem,7vw,5rem);overflow-wrap:anywhere}';

/** What an operator's own look adds to the styles of every page; empty without one. */
export function siteStyles({ siteName, logo, accent }: Look): string {
  return [
    siteName !== PRODUCT_NAME && NAMED,
    logo && '.site-logo{max-width:12rem;height:1.75rem;object-fit:contain;object-position:left}',
    accent && colorIn(accent),
  ]
    .filter(Boolean)
    .join('');
}

/**
 * Puts a color in the place of the product's (`web/styles/tokens.css`). While a button is pointed at,
 * its color goes away from that of its words.
 */
function colorIn(accent: string): string {
  const words = wordsOn(accent);
  const shade = (light: string, dark = light) =>
    `light-dark(oklch(from ${accent} calc(l ${light}) c h),oklch(from ${accent} calc(l ${dark}) c h))`;
  const tokens = {
    brass: accent,
    'brass-deep': shade(words === '#000000' ? '+ .06' : '- .06'),
    'brass-edge': shade('- .15', '+ .1'),
    'brass-soft': `color-mix(in oklab,${accent} 16%,var(--color-card))`,
    'on-brass': words,
  };
  const written = Object.entries(tokens).map(([name, value]) => `--color-${name}:${value}`);
  return `:root{${written.join(';')}}`;
}
