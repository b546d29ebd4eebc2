/** The digits of a typed or pasted code, whatever stands between them. */
export function digitsOf(code: string | undefined): string {
  return code?.replace(/\D/g, '') ?? '';
}

/** What is wrong with a typed code. */
export function checkCode(code: string | undefined): string | undefined {
  return digitsOf(code).length === 6 ? undefined : 'Enter the six digits from the mail.';
}
