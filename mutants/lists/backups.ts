import type { Mutant } from '../mutant.ts';

const encrypted = { tests: ['tests/backups/encrypted-backup.test.ts'] };

export const mutants: Mutant[] = [
  {
    ...encrypted,
    fault: 'the names in an encrypted backup tell which files are in it',
    file: 'server/running/backup/cipher.ts',
    find: "createHmac('sha256', nameKey).update(sha256).digest('hex')",
    replace: '(createHmac, nameKey && sha256)',
    titles: 'sqlite.+tells nothing',
  },
  {
    ...encrypted,
    fault: 'the plain manifest stays beside the encrypted one',
    file: 'server/running/backup/manifest.ts',
    find: '      await rm(join(folder, other), { force: true });\n',
    replace: '',
    titles: 'sqlite.+tells nothing',
  },
  {
    ...encrypted,
    fault: 'a backup to other keys leaves what the earlier ones open',
    file: 'server/cli/backup.ts',
    find: "recipients.join(' ')",
    replace: "''",
    titles: 'sqlite.+copies only',
  },
  {
    ...encrypted,
    fault: 'a backup without the secret holds it',
    file: 'server/cli/backup.ts',
    find: "withoutSecret && name === 'app-secret' ? null : openOwn",
    replace: 'openOwn',
    titles: 'sqlite.+refuses what is no key',
  },
  {
    ...encrypted,
    fault: 'a private key that was taken for the public one is printed',
    file: 'server/running/backup/cipher.ts',
    find: "recipient.startsWith('age1') ?",
    replace: 'recipient ?',
    titles: 'sqlite.+refuses what is no key',
  },
  {
    fault: 'a restored site is taken for one that was backed up at its place',
    file: 'server/ground/database/carry-rows.ts',
    find: 'if (isLeft?.(row)) continue;',
    replace: '',
    tests: ['tests/operators/setup.test.ts'],
    titles: 'sqlite.+knows of the last backup',
  },
];
