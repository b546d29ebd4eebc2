/** The digits of a card number as people type it, with spaces or dashes. */
export function cardDigits(typed: string): string {
  return typed.replace(/[\s-]/g, '');
}

/** Whether a card number's last digit fits the others (ISO/IEC 7812-1, the Luhn formula). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let position = 0; position < digits.length; position++) {
    const digit = Number(digits.at(-1 - position));
    const weighted = position % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}
