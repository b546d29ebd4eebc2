/**
 * Whether a text holds what could make a page read differently from what it says, or what is no
 * character at all and breaks formats that are made of it, such as XML.
 */
export function holdsControls(text: string): boolean {
  return /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\p{Cs}\p{Noncharacter_Code_Point}]/u.test(
    text,
  );
}
