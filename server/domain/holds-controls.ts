/** Whether a text holds what could make a page read differently from what it says. */
export function holdsControls(text: string): boolean {
  return /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text);
}
