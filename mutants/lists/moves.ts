import type { Mutant } from '../mutant.ts';

const tests = ['tests/moves/move-site.long.test.ts'];

export const mutants: Mutant[] = [
  {
    fault: 'an SQLite database that is moved still takes new rows',
    file: 'server/ground/database/close-writes.ts',
    find: "const WRITES = ['insert', 'update', 'delete'];",
    replace: "const WRITES = ['update', 'delete'];",
    ring: 'long',
    tests,
  },
  {
    fault: 'a PostgreSQL that is moved still takes new rows',
    file: 'server/ground/database/close-writes.ts',
    find: 'before insert or update or delete on',
    replace: 'before update or delete on',
    ring: 'long',
    tests,
  },
  {
    fault: 'rows that are moved are not compared',
    file: 'server/running/move/copy-database.ts',
    find: 'if (arrived.rows !== rows || arrived.digest !== digest) {',
    replace: 'if (arrived.rows !== rows) {',
    ring: 'long',
    tests,
  },
  {
    fault: 'Padlink starts on a database that was moved',
    file: 'server/running/move/move-site.ts',
    find: '  if (move && move.moved_at !== null && move.takes_database === 1) {',
    replace: '  if (move && move.moved_at !== null && move.takes_database === 2) {',
    ring: 'long',
    tests,
  },
  {
    fault: 'a move that failed leaves the site closed',
    file: 'server/running/move/move-site.ts',
    find: '    await openWrites(db);\n    throw error;',
    replace: '    throw error;',
    ring: 'long',
    tests,
  },
  {
    fault: 'a move that was finished is undone like one that was not',
    file: 'server/running/move/move-site.ts',
    find: '  if (move.moved_at !== null) {\n    throw new MoveRefused(\n      `The move to',
    replace: '  if (move.moved_at === 0) {\n    throw new MoveRefused(\n      `The move to',
    ring: 'long',
    tests,
  },
  {
    fault: 'a site is moved twice, to two places',
    file: 'server/running/move/move-site.ts',
    find: 'known.moved_at !== null && known.place !== input.place',
    replace: 'known.moved_at !== null && known.place === input.place',
    ring: 'long',
    tests,
  },
  {
    fault: 'a site is moved away from its secret',
    file: 'server/cli/move.ts',
    find: '  await requireSameSecret(db, target);\n',
    replace: '',
    ring: 'long',
    tests,
  },
  {
    fault: 'a write refused during a move keeps everybody waiting for seconds',
    file: 'server/ground/database/sqlite-driver.ts',
    find: 'error instanceof BeingMovedError',
    replace: 'false',
    tests: ['server/ground/database/sqlite.test.ts'],
    titles: 'refused at once',
  },
];
