/**
 * Whether a text holds what could make a page read differently from what it says, or what is no
 * character at all and breaks formats that are made of it, such as XML.
 */
export function holdsControls(text: string): boolean {
  return /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\p{Cs}\p{Noncharacter_Code_Point}]/u.test(
    text,
  );
}

/** Leaves out what no XML 1.0 document may hold, not even as a reference. */
export function dropForbidden(text: string): string {
  return text.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '');
}
