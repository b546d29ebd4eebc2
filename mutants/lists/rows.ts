import type { Mutant } from '../mutant.ts';

const rows = {
  tests: ['tests/http/anonymous-rows.long.test.ts'],
  titles: 'nowhere else',
};
const limits = { ...rows, titles: 'no further than the limits' };

export const mutants: Mutant[] = [
  {
    ...limits,
    ring: 'long',
    fault: 'whoever knows the password of an account leaves sessions without bound',
    file: 'server/people/accounts/routes/account-routes.ts',
    find: "limits: [...passwordFailures, { name: 'signIns', counts: ({ status }) => status === 200 }],",
    replace: 'limits: passwordFailures,',
  },
  {
    ...limits,
    ring: 'long',
    fault: 'whoever has an account at a provider leaves sessions without bound',
    file: 'server/people/accounts/routes/routes.ts',
    find: "return keepIf(({ headers }) => headers.has('set-auth-token'), giveBack, ask);",
    replace: 'return keepIf(() => false, giveBack, ask);',
  },
  {
    ...limits,
    ring: 'long',
    fault: 'receipts are sent again without bound',
    file: 'server/selling/purchases/resend-receipt.ts',
    find: "  await limits.take('receiptsResent', purchaseId);\n",
    replace: '',
  },
  {
    fault: 'strangers have a receipt mailed as often as they ask for it',
    file: 'server/selling/purchases/resend-receipt.ts',
    find: "    await limits.take('receiptsResentBySession', purchase.id);\n",
    replace: '',
    tests: ['tests/http/flood-limits.test.ts'],
  },
  {
    fault: 'strangers learn that a session was paid by asking for its receipt often',
    file: 'server/selling/purchases/resend-receipt.ts',
    find: '    if (isTooOften(error)) return;\n',
    replace: '',
    tests: ['tests/http/flood-limits.test.ts'],
  },
  {
    ...limits,
    ring: 'long',
    fault: 'codes to reset the password of an account are mailed and kept without bound',
    file: 'server/people/accounts/routes/account-routes.ts',
    find: "    { name: 'codesSentToAccount', use, counts },\n",
    replace: '',
  },
  {
    ...rows,
    ring: 'long',
    fault: 'a personal link lets whoever looks at it in, such as the scanner of a mail server',
    file: 'server/delivery/buyers/routes.ts',
    find: 'await findPersonalGrant(context, request.params.token);',
    replace:
      'await openPersonalLink(context, { token: request.params.token, claimHash: await claimCookie.ensure(request, reply), accountId: null });',
  },
];
