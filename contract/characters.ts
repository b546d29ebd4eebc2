/** Controls, line ends, signs that turn the reading direction, and what is no character at all. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\p{Cs}\p{Noncharacter_Code_Point}]/u;

/**
 * Whether a text holds what could make a page read differently from what it says, or what breaks
 * formats that are made of characters, such as XML.
 */
export function holdsControls(text: string): boolean {
  return CONTROLS.test(text);
}

/** Space, and signs that nothing is drawn for. */
const UNSEEN = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether nothing of a text can be seen. */
export function isBlank(text: string): boolean {
  return UNSEEN.test(text);
}

/** Leaves out what no XML 1.0 document may hold, not even as a reference. */
export function dropForbidden(text: string): string {
  return text.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '');
}
