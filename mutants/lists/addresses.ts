import type { Mutant } from '../mutant.ts';

const mailbox = ['tests/accounts/one-mailbox.test.ts'];
const migration = ['tests/purchases/addresses-migration.test.ts'];

export const mutants: Mutant[] = [
  {
    fault: 'a domain in its script and by its plain form are two',
    file: 'server/ground/lib/canonical-address.ts',
    find: 'domainToASCII(domain) || domain',
    replace: 'domain',
    tests: ['server/ground/lib/canonical-address.test.ts'],
  },
  {
    fault: 'a composed letter and a decomposed one are two',
    file: 'server/ground/lib/canonical-address.ts',
    find: "typed.trim().normalize('NFC').toLowerCase().normalize('NFC')",
    replace: 'typed.trim().toLowerCase()',
    tests: ['server/ground/lib/canonical-address.test.ts'],
  },
  {
    fault: 'each spelling of a mailbox signs up',
    file: 'server/people/accounts/account-address.ts',
    find: '.transform(canonicalAddress)',
    replace: '.toLowerCase()',
    tests: mailbox,
    titles: 'sqlite.+has one account',
  },
  {
    fault: 'a sign-in service makes an account for each spelling of a mailbox',
    file: 'server/people/accounts/auth/provider-accounts.ts',
    find: 'return { ...found, user: { ...found.user, email: address } };',
    replace: 'return found;',
    tests: ['tests/user-pool/accounts.test.ts'],
    titles: 'sqlite.+however the pool writes',
  },
  {
    fault: 'each spelling of a mailbox is mailed links to its purchases',
    file: 'server/delivery/buyers/find-purchases.ts',
    find: 'const email = canonicalAddress(text);',
    replace: 'const email = text.toLowerCase();',
    tests: mailbox,
    titles: 'sqlite.+the tries and the codes',
  },
  {
    fault: 'each spelling of a mailbox is sent five gifts a day',
    file: 'server/selling/purchases/gifts.ts',
    find: 'canonicalAddress(email)}',
    replace: 'email.toLowerCase()}',
    tests: mailbox,
    titles: 'sqlite.+as many gifts',
  },
  {
    fault: 'a gift is given to its spelling alone',
    file: 'server/ground/database/mailbox-of.ts',
    find: 'gift_mailbox: email === null ? null : canonicalAddress(email),',
    replace: 'gift_mailbox: email === null ? null : email.toLowerCase(),',
    tests: mailbox,
    titles: 'sqlite.+as many gifts',
  },
  {
    fault: 'a purchase is found by the spelling that paid alone',
    file: 'server/ground/database/mailbox-of.ts',
    find: 'buyer_mailbox: email === null ? null : canonicalAddress(email),',
    replace: 'buyer_mailbox: email === null ? null : email.toLowerCase(),',
    tests: mailbox,
    titles: 'sqlite.+all that it paid for',
  },
  {
    fault: 'two accounts of one mailbox keep the product from starting',
    file: 'server/people/accounts/auth/migrate-auth.ts',
    find: ".where('other.email', '=', canonical)",
    replace: ".where('other.email', '=', '')",
    tests: migration,
    titles: 'sqlite.+takes none from another',
  },
];
