import lighthouse, { type Result } from 'lighthouse';

const RUNS = 3;

export const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

export interface Audit {
  /** 0 to 100 each. */
  scores: Record<(typeof CATEGORIES)[number], number>;
  /** Milliseconds until the largest content was painted. */
  lcp: number;
  /** Cumulative layout shift. */
  cls: number;
  /** Milliseconds for which the page was too busy to answer. */
  tbt: number;
  /** Compressed, of all that was loaded. */
  bytes: number;
  /** Titles of the audits that cost points in any run. */
  lost: string[];
}

/**
 * Lighthouse's phone with its simulated slow network, some times.
 * @returns the median of each value
 * @throws what Lighthouse could not do
 */
export async function runLighthouse(port: number, url: string): Promise<Audit> {
  const runs: Result[] = [];
  for (let run = 0; run < RUNS; run++) {
    const answer = await lighthouse(url, { port, logLevel: 'error' });
    if (!answer || answer.lhr.runtimeError) {
      throw new Error(`Lighthouse could not open ${url}: ${answer?.lhr.runtimeError?.message}`);
    }
    runs.push(answer.lhr);
  }
  const numbers = (audit: string) => medianOf(runs, (run) => run.audits[audit]?.numericValue ?? 0);
  const scores = CATEGORIES.map((category) => [
    category,
    medianOf(runs, (run) => Math.round((run.categories[category]?.score ?? 0) * 100)),
  ]);
  return {
    scores: Object.fromEntries(scores),
    lcp: numbers('largest-contentful-paint'),
    cls: numbers('cumulative-layout-shift'),
    tbt: numbers('total-blocking-time'),
    bytes: numbers('total-byte-weight'),
    lost: [...new Set(runs.flatMap(findLost))],
  };
}

function medianOf(runs: Result[], read: (run: Result) => number): number {
  return runs.map(read).sort((one, other) => one - other)[Math.floor(runs.length / 2)] ?? 0;
}

function findLost({ audits, categories }: Result): string[] {
  return CATEGORIES.flatMap((name) => categories[name]?.auditRefs ?? [])
    .filter(({ weight }) => weight > 0)
    .map(({ id }) => audits[id])
    .filter((audit) => audit?.score !== null && (audit?.score ?? 1) < 0.9)
    .map((audit) => audit?.title ?? '');
}
