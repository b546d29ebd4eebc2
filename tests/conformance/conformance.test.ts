import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listTests } from './list-tests.ts';
import { quotedIn, statementsOf, wordsOf } from './read-specification.ts';
import { readTable } from './read-table.ts';
import { assertedTexts, hasCases } from './texts-of-test.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const specification = read('tests/conformance/specification.txt');
const rows = readTable(read('docs/spec-conformance.md'));
const promises = readTable(read('docs/promises.md'));
const titles = listTests(root);
/** A test that proves more rows than this proves none of them well. */
const MAX_ROWS_PER_TEST = 5;

/** The reading of a statement that is carried out to the letter. */
const AS_WRITTEN = '–';

/** Statements that nothing can show: what they are instead is said in their reading. */
const isNothingToProve = (proof: string) => proof.startsWith('nothing to prove');

const proofsOf = ({ proofs }: (typeof rows)[number]) =>
  proofs
    .filter((proof) => !isNothingToProve(proof))
    .map((proof) => {
      const [file = '', title = ''] = proof.split(' › ');
      return { proof, file, title };
    });

test('the conformance table says the whole specification, word for word, in its order', () => {
  const told = wordsOf(rows.map(({ statement }) => statement).join(' '));
  const whole = wordsOf(statementsOf(specification));
  const same = [...whole].findIndex((letter, index) => told[index] !== letter);
  expect({
    specification: same < 0 ? '' : whole.slice(same, same + 80),
    table: same < 0 ? told.slice(whole.length) : told.slice(same, same + 80),
  }).toEqual({ specification: '', table: '' });
});

test.for([
  { name: 'conformance table', table: rows },
  { name: 'promises', table: promises },
])('no cell of the $name is empty, and the files are there', ({ table }) => {
  const faults = table.flatMap(({ line, statement, reading, implementation, proofs }) => [
    ...(reading ? [] : [`line ${line}: no reading`]),
    ...(reading === AS_WRITTEN && statement.includes('not shown')
      ? [`line ${line}: not decided`]
      : []),
    ...(implementation.length > 0 ? [] : [`line ${line}: no implementation`]),
    ...(proofs.length > 0 ? [] : [`line ${line}: no proof`]),
    ...implementation
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `line ${line}: there is no ${path}`),
  ]);
  expect(faults).toEqual([]);
});

test.for(['CONTRIBUTING.md', 'docs/architecture.md'])(
  'the files that %s names are there',
  (document) => {
    // What is planned is not there yet; NAME stands for any name.
    const text = read(document).replaceAll(/\bNew: .*?\bChanged: /gs, '');
    const paths = [...text.matchAll(/`([\w.*-]+\/[\w./*{},-]*)`/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(0);
    const missing = paths.filter((path) => {
      const pattern = path.replaceAll(/[A-Z]{3,}(-title)?/g, '*');
      return ['', 'server/'].every((room) => globSync(room + pattern, { cwd: root }).length === 0);
    });
    expect(missing).toEqual([]);
  },
);

test.for([
  { name: 'conformance table', table: rows },
  { name: 'promises', table: promises },
])('every test that the $name names is there, runs, and proves few rows', ({ table }) => {
  const uses = new Map<string, number>();
  const faults = table.flatMap((row) =>
    proofsOf(row).flatMap(({ proof, file, title }) => {
      const used = (uses.get(proof) ?? 0) + 1;
      uses.set(proof, used);
      const found = titles
        .get(file)
        ?.some((name) => name === title || name.endsWith(` > ${title}`));
      return [
        ...(found ? [] : [`line ${row.line}: no such test: ${proof}`]),
        ...(found && !hasCases(read(file), title) ? [`line ${row.line}: no case: ${proof}`] : []),
        ...(used === MAX_ROWS_PER_TEST + 1 ? [`line ${row.line}: named too often: ${proof}`] : []),
      ];
    }),
  );
  expect(faults).toEqual([]);
});

/** What a test starts the product with, or a browser. */
const RUNS = /from '(?:\.\.?\/)+(?:\w+\/)?(?:use-app|start-app|spawn-app|use-shop|browser)\.ts'/;

test('every statement of the specification is proven on the running product', () => {
  const faults = rows
    .filter((row) => proofsOf(row).length > 0)
    .filter((row) => !proofsOf(row).some(({ file }) => RUNS.test(read(file))))
    .map(({ line, statement }) => `line ${line}: ${statement}`);
  expect(faults).toEqual([]);
});

test('the conformance table quotes what the specification quotes', () => {
  const quotedInTable = rows.flatMap(({ statement }) => quotedIn(statement));
  expect(quotedInTable).toEqual(quotedIn(statementsOf(specification)));
});

/** Texts too short to tell by themselves: what stands in the browser around them. */
const WITHIN: Record<string, string> = {
  '...': 'Balance: $...',
  '+': '1000+',
  prod: '/prod/',
};

test('every quoted text of the specification is asserted in a browser by a test of its row', () => {
  const faults = rows.flatMap((row) => {
    const asserted = proofsOf(row)
      .filter(({ file }) => existsSync(join(root, file)))
      .map(({ file, title }) => ({ source: read(file), title }))
      .filter(({ source }) => /from '(\.\.?\/)+harness\/browser\.ts'/.test(source))
      .flatMap(({ source, title }) => assertedTexts(source, title));
    return quotedIn(row.statement)
      .filter((quoted) => !asserted.some((text) => text.includes(WITHIN[quoted] ?? quoted)))
      .map((quoted) => `line ${row.line}: '${quoted}' is asserted by no browser test`);
  });
  expect(faults).toEqual([]);
});
