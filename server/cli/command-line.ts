import { readFileSync } from 'node:fs';
import { type ParseArgsOptionsConfig, parseArgs, parseEnv } from 'node:util';
import { formatBytes } from '../../contract/format.ts';
import type { Config, Environment } from '../ground/config/read-config.ts';
import type { Database } from '../ground/database/tables.ts';

/** Where a command says what it did, and what is wrong. */
export interface Output {
  log(line: string): void;
  error(line: string): void;
}

/** For a command that opens what it needs itself. */
export interface BareCall {
  /** What the configuration is read from. */
  environment: Environment;
  out: Output;
  /** What follows the command's name, without --json. */
  words: string[];
}

/** For one that works on the configured database. */
export interface Call extends BareCall {
  db: Database;
  config: Config;
}

/** What came of a command: the exit code is 0 where it is ok, else 1. The rest is what --json prints. */
export type Outcome = { ok: boolean } & Record<string, unknown>;

/** By their names. */
export type Commands = Record<string, (call: Call) => Promise<Outcome>>;
export type BareCommands = Record<string, (call: BareCall) => Promise<Outcome>>;

export const DONE: Outcome = { ok: true };
export const FAILED: Outcome = { ok: false };

/** Words after a command's name that say nothing; the message is for the operator. */
export class Misuse extends Error {}

/** Whether --json is among the words, and the others. */
export function takeJsonOption(words: string[]): { json: boolean; words: string[] } {
  const { others, reason } = splitAtReason(words);
  const left = others.filter((word) => word !== '--json');
  return { json: left.length < others.length, words: [...left, ...reason] };
}

/**
 * Prints one JSON object in place of what a command says: what it answers beside `ok`, or its lines
 * where it answers nothing else.
 */
export async function inJson(
  out: Output,
  run: (out: Output) => Promise<Outcome>,
): Promise<Outcome> {
  const said: string[] = [];
  const outcome = await run({ ...out, log: (line) => said.push(line) });
  const { ok, ...facts } = outcome;
  const told = Object.keys(facts).length > 0 ? facts : { said };
  out.log(JSON.stringify({ ok, ...told }));
  return outcome;
}

/**
 * Reads what follows a command's name: its options, and the other words in their order.
 * @throws Misuse for an option that it does not have, or that has no value
 */
export function readWords<const Options extends ParseArgsOptionsConfig>(
  words: string[],
  options: Options,
) {
  try {
    return parseArgs({ args: words, options, allowPositionals: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const [, option] = /'(--?[\w-]+)/.exec(message) ?? [];
    const isUnknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION';
    throw new Misuse(isUnknown ? `There is no option ${option}.` : message);
  }
}

/**
 * The same of a command that takes options alone.
 * @throws Misuse for any other word as well
 */
export function readOptions<const Options extends ParseArgsOptionsConfig>(
  words: string[],
  options: Options,
) {
  const { positionals, values } = readWords(words, options);
  const [word] = positionals;
  if (word !== undefined) throw new Misuse(`There is nothing to do with “${word}”.`);
  return values;
}

/** What a file says of settings, one NAME=value a line. @throws Misuse where it cannot be read */
export function readSettings(file: string): Environment {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Misuse(
      code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${code}).`,
    );
  }
}

/** The first word after the name of a command without options. @throws Misuse that asks for it */
export function readFirst(words: string[], request: string): string {
  const [first] = readWords(words, {}).positionals;
  if (!first) throw new Misuse(request);
  return first;
}

/**
 * One word, and the sentence after --reason with which the command ends, whatever that says.
 * @throws Misuse that asks for both
 */
export function readReasoned<const Options extends ParseArgsOptionsConfig>(
  words: string[],
  options: Options,
  request: string,
) {
  const split = splitAtReason(words);
  const { positionals, values } = readWords(split.others, options);
  const [first, ...more] = positionals;
  const reason = split.reason.slice(1).join(' ');
  if (!first || more.length > 0 || reason === '') throw new Misuse(request);
  return { first, values, reason };
}

/** What follows --reason is a sentence, up to the end of the line. */
function splitAtReason(words: string[]): { others: string[]; reason: string[] } {
  const at = words.indexOf('--reason');
  const end = at === -1 ? words.length : at;
  return { others: words.slice(0, end), reason: words.slice(end) };
}

const TOLD_EVERY_MS = 10_000;

/**
 * Says on standard error every ten seconds how far a long command has come.
 * @param describe such as "3 of 13 checks"
 */
export function tellProgress(out: Output, describe: () => string): () => void {
  let toldAt = Date.now();
  return () => {
    if (Date.now() < toldAt + TOLD_EVERY_MS) return;
    toldAt = Date.now();
    out.error(`So far: ${describe()}.`);
  };
}

/** The same of files, told of the bytes of each. */
export function createProgress(out: Output): (bytes: number) => void {
  let files = 0;
  let bytes = 0;
  const tell = tellProgress(
    out,
    () => `${files.toLocaleString('en')} files, ${formatBytes(bytes)}`,
  );
  return (more) => {
    files += 1;
    bytes += more;
    tell();
  };
}
