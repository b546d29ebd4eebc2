import type { Mutant } from '../mutant.ts';

const RECEIPTS = 'tests/books/signed-receipts.test.ts';

export const mutants: Mutant[] = [
  {
    fault: "a buyer gets the signed receipt of another's purchase",
    file: 'server/delivery/receipts/sign-receipt.ts',
    find: ".where('access_grant.id', 'in', grantIds)",
    replace: '',
    tests: [RECEIPTS],
    titles: 'sqlite.*are given to whoever',
  },
  {
    fault: "a creator gets the signed receipt of another's sale",
    file: 'server/delivery/receipts/sign-receipt.ts',
    find: ".where('seller_id', '=', sellerId)",
    replace: '',
    tests: [RECEIPTS],
    titles: 'sqlite.*are given to whoever',
  },
  {
    fault: 'a signed receipt is signed over other bytes than it holds',
    file: 'server/delivery/receipts/sign-receipt.ts',
    find: 'sign(null, Buffer.from(statement), privateKey)',
    replace: 'sign(null, Buffer.from(statement.trimEnd()), privateKey)',
    tests: [RECEIPTS],
    titles: 'sqlite.*are verified by the lines',
  },
  {
    fault: 'a signed receipt leaves out the SHA-256 of a file',
    file: 'server/delivery/receipts/sign-receipt.ts',
    find: 'if (sha256 === null) throw unavailable(NOT_HASHED);',
    replace: '',
    tests: [RECEIPTS],
    titles: 'sqlite.*wait until every file',
  },
  {
    fault: 'a signed receipt names what is on sale now instead of what was bought',
    file: 'server/delivery/receipts/sign-receipt.ts',
    find: 'await filesOfVersion(db, link_id, number)',
    replace: 'await filesOfVersion(db, link_id, number + 1)',
    tests: [RECEIPTS],
    titles: 'sqlite.*state what was bought',
  },
  {
    fault: 'the keys that were retired are not published',
    file: 'server/delivery/receipts/signing-keys.ts',
    find: ".orderBy('created_at', 'desc')",
    replace: ".where('retired_at', 'is', null).orderBy('created_at', 'desc')",
    tests: [RECEIPTS],
    titles: 'sqlite.*name their keys',
  },
  {
    fault: 'each start makes another key that signs receipts',
    file: 'server/delivery/receipts/signing-keys.ts',
    find: 'if (current && unseal(secret, current)) return;',
    replace: '',
    tests: [RECEIPTS],
    titles: 'sqlite.*are signed by one key',
  },
  {
    fault: 'receipts cannot be signed any more once the secret is another',
    file: 'server/delivery/receipts/signing-keys.ts',
    find: 'if (current && unseal(secret, current)) return;',
    replace: 'if (current) return;',
    tests: [RECEIPTS],
    titles: 'sqlite.*are signed by one key',
  },
];
