/** The digits of a typed or pasted code, whatever stands between them. */
export function digitsOf(code: string | undefined): string {
  return code?.replace(/\D/g, '') ?? '';
}

/** What is wrong with a typed code of a mail. */
export function checkCode(code: string | undefined): string | undefined {
  return digitsOf(code).length === 6 ? undefined : 'Enter the six digits from the mail.';
}

/** What is wrong with a typed code of an authenticator app. */
export function checkAppCode(code: string | undefined): string | undefined {
  return digitsOf(code).length === 6 ? undefined : 'Enter the six digits from your app.';
}
