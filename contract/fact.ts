import { isolate } from './isolate.ts';
import { formatCents } from './money.ts';

/**
 * What is said to people: a sentence of the catalogs, by its English, and what is filled in where it
 * has {names}. It travels like this, and is put into words where the language is known.
 */
export interface Fact {
  text: string;
  values?: Record<string, Value> | undefined;
}

/** A sentence in which nothing is filled in may go by its English alone. */
export type Said = string | Fact;

/** Filled in as it is, by how the language writes it, or as words of its own; several are listed. */
type Value =
  | string
  | number
  | { number: number; digits: number }
  /** `alone`: it is no part of a sentence, and has no separators in English. */
  | { cents: number; alone?: true }
  /** UTC milliseconds. */
  | { moment: number }
  | Fact
  | Fact[];

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

type MakeFact = <const Text extends string>(
  text: string extends Text ? never : Text,
  ...given: [NamesIn<Text>] extends [never] ? [] : [values: Record<NamesIn<Text>, Value>]
) => Fact;

/** Takes a sentence of the catalogs as a literal, whose German a test looks for, and its values. */
export const fact = ((text: string, values?: Record<string, Value>) => ({
  text,
  values,
})) as MakeFact;

/** Sentences of the catalogs among which a fact takes one. */
export const texts = <const Texts>(ofFacts: Texts): Texts => ofFacts;

export const asFact = (said: Said): Fact => (typeof said === 'string' ? { text: said } : said);

/** How a language says sentences, and writes what is filled in. */
export interface Tongue {
  /** As `Intl` knows it. */
  language: string;
  sentence(text: string): string;
  /** @param digits decimals that it has, of a number below 1000; as many as it takes unless given */
  number(value: number, digits?: number): string;
  price(cents: number, isAlone?: boolean): string;
}

/** The API's, and that of logs. */
export const ENGLISH: Tongue = {
  language: 'en-US',
  sentence: (text) => text,
  number: (value, digits) =>
    digits === undefined ? value.toLocaleString('en-US') : value.toFixed(digits),
  price: (cents, isAlone) =>
    `$${isAlone ? formatCents(cents) : (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`,
};

/** A minute: "Nov 21, 2026, 06:38 UTC" */
export function writeMoment(time: number, { language }: Tongue): string {
  const form = { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' } as const;
  return `${new Date(time).toLocaleString(language, { ...form, timeZone: 'UTC' })} UTC`;
}

export function putIntoWords(said: Said, tongue: Tongue): string {
  if (typeof said === 'string') return tongue.sentence(said);
  return tongue.sentence(said.text).replace(/\{(\w+)\}/g, (place, name) => {
    const value = said.values?.[name];
    return value === undefined ? place : write(value, tongue);
  });
}

function write(value: Value, tongue: Tongue): string {
  if (typeof value === 'string') return isolate(value);
  if (typeof value === 'number') return tongue.number(value);
  if ('number' in value) return tongue.number(value.number, value.digits);
  if ('cents' in value) return tongue.price(value.cents, value.alone);
  if ('moment' in value) return writeMoment(value.moment, tongue);
  if (Array.isArray(value)) {
    const parts = value.map((part) => putIntoWords(part, tongue));
    return new Intl.ListFormat(tongue.language).format(parts);
  }
  // Words that somebody wrote, where it is none of the catalogs' sentences.
  return value.values ? putIntoWords(value, tongue) : isolate(tongue.sentence(value.text));
}

export const putIntoEnglish = (said: Said): string => putIntoWords(said, ENGLISH);

/** Beside each other, as parts of one description. */
export function joined(parts: [Fact, ...Fact[]]): Fact {
  return parts.reduce((list, next) => fact('{list}, {next}', { list, next }));
}

// What a database keeps is a fact's English where nothing is filled in, and else its JSON.

const KEPT = '{"text":';

export const keepFact = (kept: Fact): string => (kept.values ? JSON.stringify(kept) : kept.text);

/** @param kept words that somebody wrote are what they are */
export function readFact(kept: string): Fact {
  try {
    return kept.startsWith(KEPT) ? JSON.parse(kept) : { text: kept };
  } catch {
    return { text: kept };
  }
}
