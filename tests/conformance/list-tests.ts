import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

type ListedTest = { name: string; file: string };

/** Titles of every test that runs, by file. Skipped ones and those to be written are not listed. */
export function listTests(root: string): Map<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'padlink-tests-'));
  try {
    const list = join(folder, 'list.json');
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    execFileSync(process.execPath, [vitest, 'list', `--json=${list}`], { cwd: root });
    const tests = JSON.parse(readFileSync(list, 'utf8')) as ListedTest[];
    return Map.groupBy(tests, ({ file }) => relative(root, file))
      .entries()
      .reduce(
        (titles, [file, found]) =>
          titles.set(
            file,
            // The list writes a quote inside a title with a backslash.
            found.map(({ name }) => name.replaceAll('\\"', '"').replaceAll("\\'", "'")),
          ),
        new Map<string, string[]>(),
      );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
