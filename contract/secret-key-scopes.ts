/** What a secret key may let programs do, in the order in which it is said. */
export const SCOPES = ['read', 'sell', 'refund'] as const;

export type Scope = (typeof SCOPES)[number];

/** Each in words that follow “A program with it can”. */
export const SCOPE_MEANS = {
  read: 'see your links, files, sales and money',
  sell: 'upload files, and see, create, change and delete your links and files',
  refund: 'refund your sales',
} as const satisfies Record<Scope, string>;
