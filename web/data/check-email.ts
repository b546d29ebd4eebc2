/** What is wrong with a typed e-mail address; the mailed code proves the rest. */
export function checkEmail(email: string | undefined): string | undefined {
  if (!email?.trim()) return 'Enter your e-mail address.';
  if (!/^\S+@\S+\.\S+$/.test(email.trim()))
    return 'Enter a full e-mail address, like name@example.com.';
  return undefined;
}
