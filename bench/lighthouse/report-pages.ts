import { describeMachine } from '../report.ts';
import type { PageResult } from './measure-pages.ts';
import { CATEGORIES } from './run-lighthouse.ts';

const TARGET = { score: 98, cls: 0, lcp: 1000 };

/** What Lighthouse said, as a part of the page of benchmarks. */
export function reportPages(results: PageResult[]): string {
  return `## Pages on a phone

Lighthouse 13 with its mobile preset: a simulated mid-range phone on slow 4G. Medians of three runs by a guest with an empty browser cache. Target: every score ≥ ${TARGET.score}, no layout shift, and on the paywall page the largest contentful paint within ${TARGET.lcp} ms.

| Page | Performance | Accessibility | Best practices | SEO | LCP | CLS | TBT | Loaded | |
|---|---|---|---|---|---|---|---|---|---|
${results.map(line).join('\n')}

${describeMachine()}
`;
}

function line(result: PageResult): string {
  const { page, scores, lcp, cls, tbt, bytes } = result;
  const missed = findMissed(result);
  const cells = [
    page,
    ...CATEGORIES.map((category) => scores[category]),
    `${Math.round(lcp)} ms`,
    cls.toFixed(3),
    `${Math.round(tbt)} ms`,
    `${(bytes / 1000).toFixed(0)} kB`,
    missed.length === 0 ? 'met' : `missed (${missed.join(', ')})`,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** What a page lacks of the target, each in words. */
function findMissed({ page, scores, lcp, cls, lost }: PageResult): string[] {
  const low = CATEGORIES.filter((category) => scores[category] < TARGET.score);
  return [
    ...low.map((category) => `${category} below ${TARGET.score}`),
    ...(low.length > 0 ? lost : []),
    ...(page === '/p/:id' && lcp > TARGET.lcp ? [`LCP above ${TARGET.lcp} ms`] : []),
    ...(cls === TARGET.cls ? [] : ['the layout shifts']),
  ];
}
