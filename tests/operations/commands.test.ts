import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { graphql, sellFile, signUp, waitUntilUnlocked } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { useApp } from '../harness/use-app.ts';

const ROOT = join(import.meta.dirname, '../..');

describe('the commands', async () => {
  const { stderr, stdout } = await runCli({});
  // A name is one or two words; what follows is in capitals or brackets, or says what it does.
  const names = [
    ...(stdout + stderr).matchAll(/^ {2}([a-z-]+(?: [a-z-]+)?)(?=$| [A-Z[-]| {2,})/gm),
  ].map(([, name = '']) => name);

  test('that the documents name are there', () => {
    const documents = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })];
    const named = documents.flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      return [...text.matchAll(/npm run cli -- ([a-z-]+(?: [a-z-]+)?)/g)].map(
        ([, name = '']) => name,
      );
    });
    expect(named.length).toBeGreaterThan(30);
    // Of a command of one word, what follows is its first argument.
    const isThere = (name: string) =>
      names.includes(name) || names.includes(name.split(' ')[0] ?? '');
    expect(named.filter((name) => !isThere(name))).toEqual([]);
  });

  test('each run in a test', () => {
    const tests = globSync('tests/**/*.ts', { cwd: ROOT })
      .map((file) => readFileSync(join(ROOT, file), 'utf8'))
      .join('\n');
    const isRun = (name: string) => {
      const [first, second] = name.split(' ');
      const called =
        second === undefined ? `\\w\\((?:[\\w.]+, )?'${first}'` : `'${first}',\\s*'${second}'`;
      return new RegExp(called).test(tests);
    };
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !isRun(name))).toEqual([]);
  });
});

describeOnSqliteFirst('an operator who uses commands alone', (database) => {
  const app = useApp({ database });
  const run = (...words: string[]) => runCli(app.env, ...words);

  test('answers an objection, makes room, and begins with live payments', {
    tags: 'long',
  }, async () => {
    const seller = await signUp(app);
    const { id } = await sellFile(seller);
    expect((await run('link', 'take-down', id, '--reason', 'Not yours.')).status).toBe(0);
    const object =
      'mutation ($id: ID!, $words: String!) { objectToTakeDown(id: $id, words: $words) }';
    await graphql(seller, object, { id, words: 'It is mine.' });
    expect((await run('link', 'reports')).stdout).toContain('It is mine.');
    expect((await run('link', 'answer', id, '--reason', 'Show us.')).status).toBe(0);
    expect((await run('link', 'reports')).stdout).not.toContain('It is mine.');

    const quarantine = join(app.dataDir, 'blobs', 'quarantine');
    mkdirSync(quarantine, { recursive: true });
    writeFileSync(join(quarantine, '0'.repeat(32)), 'bytes');
    expect((await run('storage', 'empty-quarantine')).stdout).toBe(
      'Removed from quarantine: 1 files, 5 bytes.\n',
    );

    const { id: sold } = await sellFile(seller);
    const buyer = createPerson(app);
    await payFor(buyer, sold);
    await waitUntilUnlocked(buyer, sold);
    await app.pause();
    expect((await run('reset-test-data')).stdout).toMatch(
      /^Removed: 1 test purchases and \d entries/,
    );
    expect((await run('ledger', 'clear', 'all')).stdout).toBe(
      'Transactions taken out of suspense: 0.\n',
    );
    expect((await run('ledger', 'check')).status).toBe(0);
    await app.restart();
  });
});
