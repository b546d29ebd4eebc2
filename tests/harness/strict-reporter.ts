import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { readTable } from '../conformance/read-table.ts';
import { NEEDS } from './needs.ts';

/** A test of the run; `reason` is why it was skipped. */
interface Outcome {
  file: string;
  name: string;
  state: string;
  reason?: string;
}

/** Holes of a title that stands for the rows of a table: `%s`, `$name`. */
const HOLE = /%[a-z#$%]|\$[\w.]+/;

function isNamed(name: string, title: string): boolean {
  const pieces = title.split(HOLE).map((piece) => RegExp.escape(piece));
  return new RegExp(`(^| > )${pieces.join('.*')}$`, 's').test(name);
}

function findSkipFaults(skipped: Outcome[]): string[] {
  const known: string[] = process.env.CI ? [] : Object.values(NEEDS);
  return skipped
    .filter(({ reason = '' }) => !known.includes(reason))
    .map(({ file, name, reason }) => `skipped: ${file} › ${name} (${reason ?? 'no reason'})`);
}

/** The state of a test that runs in the long ring only. */
const ELSEWHERE = 'elsewhere';

/** Whether a test proves something; one that was skipped outside of CI is named as that already. */
const isProof = ({ state }: Outcome) =>
  state === 'passed' || state === ELSEWHERE || (state === 'skipped' && !process.env.CI);

/** Tests of these files that a document names as proof and that were not run, or not to their end. */
function findMissingProofs(document: string, root: string, outcomes: Outcome[]): string[] {
  const files = new Set(outcomes.map(({ file }) => file));
  return readTable(readFileSync(join(root, document), 'utf8')).flatMap(({ line, proofs }) =>
    proofs
      .map((proof) => proof.split(' › '))
      .filter(([file = '']) => files.has(file))
      .filter(([file = '', title = '']) => {
        const ran = outcomes.filter((test) => test.file === file && isNamed(test.name, title));
        return title && !(ran.length > 0 && ran.every(isProof));
      })
      .map((proof) => `no proof: ${document}, line ${line}: ${proof.join(' › ')}`),
  );
}

/**
 * Ends a run: says which tests were skipped and how many passed, and fails it for one that was skipped
 * without need and for a proof of the documents that did not pass.
 */
export default class StrictReporter implements Reporter {
  private root = '';
  private isWhole = true;
  private isLong = true;

  onInit({ config }: Vitest): void {
    this.root = config.root;
    this.isWhole = !config.testNamePattern;
    this.isLong = !config.tagsFilter?.length;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const outcomes = modules.flatMap(({ children, relativeModuleId: file }) =>
      [...children.allTests()].map((test): Outcome => {
        const result = test.result();
        const isHere = this.isLong || !test.tags.includes('long');
        const state = isHere ? result.state : ELSEWHERE;
        return { file, name: test.fullName, state, reason: 'note' in result ? result.note : '' };
      }),
    );
    if (!this.isWhole) return;
    const having = (wanted: string) => outcomes.filter(({ state }) => state === wanted);
    const skipped = having('skipped');
    const faults = [
      ...findSkipFaults(skipped),
      ...['docs/spec-conformance.md', 'docs/promises.md'].flatMap((document) =>
        findMissingProofs(document, this.root, outcomes),
      ),
    ];
    for (const fault of faults) console.error(fault);
    for (const need of new Set(skipped.map(({ reason }) => reason))) {
      if (!need) continue;
      const { length } = skipped.filter(({ reason }) => reason === need);
      console.log(`${length} skipped: ${need}`);
    }
    console.log(
      `${having('passed').length} passed, ${having('failed').length} failed, ${skipped.length} skipped`,
    );
    if (faults.length > 0) process.exitCode = 1;
  }
}
