import type { TableForm } from '../../../contract/tables.ts';
import { isoTime } from './time.ts';

/** A string is written as it is. */
export type Cell =
  | string
  /** What people wrote, and ids. */
  | { text: string }
  /** With a decimal point: "-12.34". */
  | { amount: string }
  /** UTC milliseconds. */
  | { time: number }
  /** The name of a column of times. */
  | { timesOf: string };

/** As RFC 4180 writes it, but for the separator. */
export function writeRow(cells: Cell[], form: TableForm): string {
  const separator = form === 'semicolon' ? ';' : ',';
  const written = cells.map((cell) => {
    const text = writeCell(cell, form);
    const isQuoted = /["\r\n]/.test(text) || text.includes(separator);
    return isQuoted ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${written.join(separator)}\r\n`;
}

function writeCell(cell: Cell, form: TableForm): string {
  if (typeof cell === 'string') return cell;
  if ('amount' in cell) return form === 'semicolon' ? cell.amount.replace('.', ',') : cell.amount;
  if ('text' in cell) return writeText(cell.text, form);
  if ('timesOf' in cell) return form === 'plain' ? cell.timesOf : `${cell.timesOf} (UTC)`;
  const time = isoTime(cell.time);
  // Excel reads a date and a time behind a space wherever it is set up; with T and Z they are text.
  return form === 'plain' ? time : time.slice(0, 'yyyy-mm-ddThh:mm:ss'.length).replace('T', ' ');
}

function writeText(text: string, form: TableForm): string {
  // Makes text of what a spreadsheet would treat as a formula.
  if (/^[=+\-@\t\r\n＝＋－＠]/.test(text)) return `'${text}`;
  return form !== 'plain' && isConverted(text) ? `="${text.replaceAll('"', '""')}"` : text;
}

/**
 * Whether a spreadsheet may make a number or a date of a text, such as the ids 00123456 and 12e00012
 * or the code MAY-25: all of these but TRUE and FALSE, which read the same then, have digits, and
 * words only for a month, an exponent or half of a day. Quotes do not prevent it, and a sign in front
 * would become a part of the id. What keeps it is a formula that gives the text, as Microsoft's
 * article Q66033 has it for hexadecimal numbers.
 */
const isConverted = (text: string) =>
  /\p{Nd}/u.test(text) && /^\P{L}*(?:\p{L}[\p{L}\p{M}]*(?:[^\p{L}\p{M}]\P{L}*)?){0,2}$/u.test(text);
