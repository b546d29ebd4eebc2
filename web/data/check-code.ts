/** What is wrong with a typed code. */
export function checkCode(code: string | undefined): string | undefined {
  return /^\d{6}$/.test(code?.trim() ?? '') ? undefined : 'Enter the six digits from the mail.';
}
