import type { Mutant } from '../mutant.ts';

const tests = ['tests/stamps/stamps.test.ts'];
const SENT = 'server/delivery/downloads/sent-file.ts';
const COPIES = 'server/adapters/stamps/stamped-copies.ts';

export const mutants: Mutant[] = [
  {
    fault: 'a buyer gets a PDF without their stamp',
    file: SENT,
    find: 'if (!stamp) return own;',
    replace: 'return own;',
    tests,
    titles: 'sqlite.+their own copy',
  },
  {
    fault: "a buyer gets another's copy",
    file: COPIES,
    find: `\`\${VERSION} \${blob} \${stamp}\``,
    replace: `\`\${VERSION} \${blob}\``,
    tests,
    titles: 'sqlite.+their own copy',
  },
  {
    fault: 'a buyer of a PDF that cannot be stamped gets nothing',
    file: SENT,
    find: 'isCopy: true } : own;',
    replace: "isCopy: true } : Promise.reject(new Error('unstamped'));",
    tests,
    titles: 'sqlite.+as it was bought',
  },
  {
    fault: 'a signature is broken by a stamp',
    file: 'server/adapters/stamps/stamp-in-child.ts',
    find: "if (object instanceof PDFDict && object.has(signed)) throw new Error('It is signed');",
    replace: '',
    tests,
    titles: 'sqlite.+as it was bought',
  },
  {
    fault: "a gift carries its giver's address",
    file: SENT,
    find: "fn.coalesce('gift_mailbox', 'gift_email', 'buyer_mailbox', 'buyer_email')",
    replace: "fn.coalesce('buyer_mailbox', 'buyer_email')",
    tests,
    ring: 'long',
    titles: 'sqlite.+recipient of a gift',
  },
  {
    fault: 'a copy counts as more or fewer bytes than its file has',
    file: 'server/delivery/downloads/routes.ts',
    find: '(at === size ? file.size_bytes : Math.min(at, file.size_bytes))',
    replace: 'at',
    tests,
    ring: 'long',
    titles: 'sqlite.+broke off',
  },
  {
    fault: 'a page that viewers show goes out without its stamp',
    file: 'server/adapters/stamps/stamp-in-child.ts',
    find: 'pages !== stated || ',
    replace: '',
    tests: ['tests/stamps/copies.long.test.ts'],
    ring: 'long',
    titles: 'pages that this library',
  },
  {
    fault: 'a buyer who asks for much at once gets the file itself',
    file: SENT,
    find: 'if (!(error instanceof NoRoomError)) throw error;',
    replace: '',
    tests,
    ring: 'long',
    titles: 'sqlite.+asks for many',
  },
  {
    fault: 'what was returned while a copy was made is delivered',
    file: 'server/delivery/downloads/routes.ts',
    find: "if (again.kind === 'refused') throw again.refusal;",
    replace: '',
    tests,
    ring: 'long',
    titles: 'sqlite.+while a copy is made',
  },
];
