/** What people and programs write into cells; null where it is nothing of that kind. */

const AMOUNT =
  /^\$? ?(\d{1,7}|\d{1,3}(?:,\d{3})+(?=\.)|\d{1,3}(?:\.\d{3})+(?=,))(?:[.,](\d{1,2}))? ?\$?$/;

/** "9.99", "9,99" or "$1,234.50" as cents. "1,234" may be either, and is none. */
export function readCents(text: string): number | null {
  const [, whole, cents = ''] = AMOUNT.exec(text) ?? [];
  if (whole === undefined) return null;
  return Number(whole.replaceAll(/[.,]/g, '')) * 100 + Number(cents.padEnd(2, '0'));
}

const TIME =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?))? ?(Z|UTC|[+-]\d\d:?\d\d)?$/i;
const GERMAN_DAY = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;

/**
 * "2024-03-05", "2024-03-05 12:30:00 UTC" or "5.3.2024" as UTC milliseconds. "3/5/2024" may be in March
 * or in May, and is none.
 */
export function readTime(text: string): number | null {
  const iso = text.replace(
    GERMAN_DAY,
    (_all, day, month, year) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  );
  const [, day, time = '00:00', zone = 'Z'] = TIME.exec(iso) ?? [];
  if (day === undefined || !isDay(day)) return null;
  const offset = zone.length > 3 ? zone.replace(/(\d\d)(\d\d)$/, '$1:$2') : 'Z';
  const at = Date.parse(`${day}T${time}${offset}`);
  return at >= 0 ? at : null;
}

/** February 30 would be a day of March. */
function isDay(day: string): boolean {
  const at = new Date(`${day}T00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}

/** What is left blank is "no". */
export function readFlag(text: string): boolean | null {
  if (/^(1|yes|y|true|ja)$/i.test(text)) return true;
  return /^(|0|no|n|false|nein)$/i.test(text) ? false : null;
}

/** A name as it is compared, whoever wrote it. */
export const foldName = (name: string) => name.normalize('NFC').trim().toLowerCase();
