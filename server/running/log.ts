import { inspect } from 'node:util';
import pino, { type DestinationStream, type LogFn, type Logger } from 'pino';
import type { Config } from '../ground/config/read-config.ts';
import { remedyFor } from '../ground/lib/cannot-store.ts';

/**
 * Lines with the same message within a minute, per client if they name one; further ones are
 * counted. Lines that name no client, request, error or provider are all written.
 */
export const SAME_LINES_A_MINUTE = 5;
/**
 * Kinds of lines that are distinguished within a minute; as many again for those that name a
 * client, and for errors.
 */
export const KINDS_A_MINUTE = 200;
/** Answers that have a line each, in a process; further ones are counted. */
export const ANSWERS_A_MINUTE = 3_000;
/** Characters of a text in a logged error, which may come from a stranger. */
export const LOGGED_TEXT_LENGTH = 4_000;

const MINUTE_MS = 60_000;
/** Loaded on a terminal only. */
const pretty = process.stdout.isTTY ? (await import('pino-pretty')).default : null;
const GATHERED_BYTES = 8 * 1024;
const GATHERED_MS = 200;
/** Calls of a stack by which errors are told apart: the first ones may be a driver's. */
const FRAMES = 4;
const WARN = 40;
const ERROR = 50;
/** What marks a line that strangers can cause repeatedly; the operator has to act on all others. */
const MAY_REPEAT = ['client', 'reqId', 'err', 'provider'];
/** The kind of all lines beyond the distinguished kinds. */
const REST = '';

/**
 * JSON lines for machines, readable ones on a terminal. Secrets are never passed to it. Repeated
 * warnings and errors that strangers can cause are counted rather than written, so that nobody can
 * fill the disk with them.
 */
export function createLog(level: Config['logLevel'], destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: ['req.headers', 'headers'],
    serializers: { err: describeError },
    hooks: { logMethod: sample() },
  };
  if (destination) return pino(options, destination);
  if (!pretty) return pino(options);
  return pino(
    options,
    pretty({ colorize: true, translateTime: 'HH:MM:ss', ignore: 'pid,hostname' }),
  );
}

/**
 * Writes a line for each answer, up to `ANSWERS_A_MINUTE`; further ones are counted, so that a flood
 * of requests does not fill the disk. They are frequent: writing each by itself would cost a fifth
 * of the answer. So they are written together, at most `GATHERED_MS` later; only a kill loses the
 * last ones.
 */
export function createAnswerLog(
  level: Config['logLevel'],
  destination?: DestinationStream,
): (answer: object) => void {
  const log = destination || pretty ? createLog(level, destination) : pino(...gathered(level));
  let answers = 0;
  return (answer) => {
    answers += 1;
    if (answers <= ANSWERS_A_MINUTE) log.info(answer, 'answered');
    if (answers === 1) setTimeout(endMinute, MINUTE_MS).unref();
  };

  function endMinute(): void {
    const more = answers - ANSWERS_A_MINUTE;
    answers = 0;
    if (more > 0) log.info(`answered …and ${more.toLocaleString('en-US')} more in a minute`);
  }
}

function gathered(level: Config['logLevel']) {
  const together = { dest: 1, sync: false, minLength: GATHERED_BYTES, periodicFlush: GATHERED_MS };
  return [{ level, base: null }, pino.destination(together)] as const;
}

/** Lines of one kind within a minute. */
interface Kind {
  lines: number;
  /** Reports what was left out, with the fields of the last such line. */
  sayMore(): void;
}

function sample() {
  const ofClients = new Map<string, Kind>();
  const ofOthers = new Map<string, Kind>();
  // Separate, so that nothing a stranger sends can use up the kinds of our own errors.
  const ofFaults = new Map<string, Kind>();

  return function logMethod(this: Logger, line: Parameters<LogFn>, write: LogFn, level: number) {
    if (level < WARN) return write.apply(this, line);
    const { fields, message } = readLine(line);
    const carried = { ...this.bindings(), ...fields };
    if (!MAY_REPEAT.some((name) => name in carried)) return write.apply(this, line);
    const { client, err } = fields;
    const ofRefused = client === undefined ? ofOthers : ofClients;
    const kinds = level >= ERROR && 'err' in fields ? ofFaults : ofRefused;
    const kind = findKind(kinds, [level, message, client, placeOf(err)].join(' '));
    kind.lines += 1;
    if (kind.lines <= SAME_LINES_A_MINUTE) return write.apply(this, line);
    const more = `…and ${(kind.lines - SAME_LINES_A_MINUTE).toLocaleString('en-US')} more in a minute`;
    kind.sayMore = () =>
      kind === kinds.get(REST)
        ? write.call(this, `other warnings and errors ${more}`)
        : write.call(this, { client }, `${message} ${more}`);
  };
}

/** What counts as the same line within a minute; beyond the limit, all other kinds count as one. */
function findKind(kinds: Map<string, Kind>, name: string): Kind {
  const known = kinds.get(name);
  if (known) return known;
  if (kinds.size >= KINDS_A_MINUTE && name !== REST) return findKind(kinds, REST);
  const kind: Kind = { lines: 0, sayMore() {} };
  kinds.set(name, kind);
  setTimeout(() => {
    kind.sayMore();
    kinds.delete(name);
  }, MINUTE_MS).unref();
  return kind;
}

function readLine([first, second]: Parameters<LogFn>): {
  fields: { client?: unknown; err?: unknown };
  message: string;
} {
  if (typeof first === 'string') return { fields: {}, message: first };
  if (first instanceof Error)
    return { fields: { err: first }, message: String(second ?? first.message) };
  return { fields: (first ?? {}) as object, message: String(second ?? '') };
}

/** Where an error comes from: its message may differ each time. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [error.name, ...frames.slice(0, FRAMES)].join();
}

/**
 * An error as pino shows it, or whatever was thrown instead of one, within bounds; and what to do
 * about it, where that is known.
 */
function describeError(error: Error): unknown {
  const plain: unknown = pino.stdSerializers.err(error);
  if (typeof plain !== 'object' || plain === null) return shorten(plain);
  const remedy = remedyFor(error);
  const shown = { ...plain, ...(remedy && { remedy }) };
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, shorten(value)]));
}

function shorten(value: unknown): unknown {
  const text = typeof value === 'object' && value !== null ? inspect(value) : value;
  return typeof text === 'string' ? text.slice(0, LOGGED_TEXT_LENGTH) : text;
}
