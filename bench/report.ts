import { cpus, totalmem, type } from 'node:os';
import type { Row } from './row.ts';

/** The measured rows as a part of the page of benchmarks. */
export function report(rows: Row[]): string {
  return `## Beside bare servers

Padlink's throughput as a fraction of a bare server's, measured side by side in one run: medians of five alternating rounds after a warm-up. The load generator runs on the same machine. "Same CPU" compares the work done per second of the server's processor time, which holds even if something else keeps the machine busy.

| What | Padlink | Yardstick | Ratio | Same CPU | CPU each | Target | |
|---|---|---|---|---|---|---|---|
${rows.map(line).join('\n')}

${describeMachine()}
`;
}

function line(row: Row): string {
  const { name, unit, against, ratio, cpuRatio, cpuMicroseconds: cpu, target } = row;
  const cells = [
    name,
    `${amount(row.ours)} ${unit}`,
    `${amount(row.yardstick)} ${unit} (${against})`,
    ratio.toFixed(2),
    cpuRatio?.toFixed(2) ?? '',
    cpu ? `${Math.round(cpu.ours)} µs (${Math.round(cpu.yardstick)} µs)` : '',
    `≥ ${target}`,
    ratio >= target ? 'met' : 'missed',
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Of what takes a second or so, the decimals matter. */
const amount = (perSecond: number) => perSecond.toFixed(perSecond < 10 ? 2 : 0);

/** When and on what was measured. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const day = new Date().toISOString().slice(0, 10);
  const memory = Math.round(totalmem() / 1024 ** 3);
  return `Measured on ${day}: ${cpu?.model.trim()}, ${cpus().length} cores, ${memory} GiB, ${type()}, Node.js ${process.version}.`;
}
