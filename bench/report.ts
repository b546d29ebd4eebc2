import { cpus, totalmem, type } from 'node:os';
import type { Row } from './row.ts';

/** The measured rows as a page of Markdown. */
export function report(rows: Row[]): string {
  const lines = rows.map(({ name, ours, yardstick, unit, against, target }) => {
    const ratio = ours / yardstick;
    const verdict = ratio >= target ? 'met' : 'missed';
    return `| ${name} | ${Math.round(ours)} ${unit} | ${Math.round(yardstick)} ${unit} (${against}) | ${ratio.toFixed(2)} | ≥ ${target} | ${verdict} |`;
  });
  const [cpu] = cpus();
  return `# Benchmarks

Ratios, measured side by side in one run: \`npm run bench\` (one group: \`npm run bench -- html\`; \`--write\` writes this page). Medians of three rounds in turns, after one that warms up.

| What | Padlink | Yardstick | Ratio | Target | |
|---|---|---|---|---|---|
${lines.join('\n')}

Measured on ${new Date().toISOString().slice(0, 10)}: ${cpu?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 1024 ** 3)} GiB, ${type()}, Node.js ${process.version}. The load generator runs on the same machine.
`;
}
