/**
 * In addition to the published list, which has words rather than what people make of them to
 * satisfy a rule: the most common leaked passwords with four kinds of characters, in lower case.
 */
const OF_FOUR_KINDS = `
  password1! password12! password123! password1234! password@1 password@12 password@123
  password#1 password!1 passw0rd! passw0rd1! passw0rd@1 p@ssw0rd p@ssw0rd! p@ssw0rd1 p@ssw0rd1!
  p@ssw0rd12 p@ssw0rd123 p@ssword1 p@ssword1! p@ssword123 p@55w0rd pa$$w0rd pa$$w0rd1 pa$$word1
  pass@123 pass@1234 pass@word1 passwort1! welcome1! welcome@1 welcome@123 welcome123! admin@123
  admin@1234 admin123! admin1234! root@123 user@123 login@123 test@123 test@1234 qwerty1!
  qwerty12! qwerty123! qwerty@123 qwerty123@ qwertyuiop1! asdfgh1! asdf1234! zxcvbnm1! 1qaz@wsx
  1qaz!qaz !qaz2wsx 1qaz2wsx! zaq1@wsx zaq12wsx! abc@1234 abc123!@# abc12345! abcd@123 abcd@1234
  abcd1234! abcd123! aa123456! aa@123456 aa12345! letmein1! letmein123! iloveyou1! monkey1!
  dragon1! football1! baseball1! sunshine1! princess1! superman1! changeme1! changeme123!
  changeme@123 secret1! master@123 hello123! hello@123 india@123 google@123 spring2024!
  spring2025! spring2026! summer2024! summer2025! summer2026! autumn2024! autumn2025! autumn2026!
  winter2024! winter2025! winter2026! padlink1! padlink123! padlink@123`
  .trim()
  .split(/\s+/);

let list: Promise<ReadonlySet<string>> | undefined;

/**
 * The passwords that are guessed first, some 49,000, in lower case. Read when the first password is
 * chosen, so that they do not delay the start.
 */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  list ??= readList();
  return list;
}

async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set([...dictionary['passwords-common'], ...OF_FOUR_KINDS]);
}
