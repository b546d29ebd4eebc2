/** Beside the published lists, which name them in other spellings or not at all. */
const OWN = ['aa', 'aa@123456', 'abc', 'abcd', 'login', 'padlink', 'pass@word', 'zaq1@wsx'];

let list: Promise<ReadonlySet<string>> | undefined;

/**
 * The passwords that are guessed first, some 49,000, in lower case. Read when the first password is
 * chosen: no start waits for them.
 */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  list ??= readList();
  return list;
}

async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set([...dictionary['passwords-common'], ...OWN]);
}
