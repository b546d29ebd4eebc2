import { existsSync } from 'node:fs';
import { EntryConflictError } from '../books/ledger/post-entry.ts';
import { ConfigError, type Environment, readConfig } from '../ground/config/read-config.ts';
import { UnreachableError } from '../ground/database/postgres.ts';
import { DomainError } from '../ground/lib/domain-error.ts';
import { BackupRefused } from '../running/backup/backup-refused.ts';
import { MoveRefused } from '../running/installation/move-storage.ts';
import * as account from './account.ts';
import * as backup from './backup.ts';
import {
  type BareCall,
  type BareCommands,
  type Commands,
  FAILED,
  inJson,
  Misuse,
  type Outcome,
  type Output,
  takeJsonOption,
} from './command-line.ts';
import * as deliveries from './deliveries.ts';
import * as doctor from './doctor.ts';
import * as importing from './import.ts';
import * as jobs from './jobs.ts';
import * as ledger from './ledger.ts';
import * as link from './link.ts';
import * as mcp from './mcp.ts';
import * as move from './move.ts';
import * as payments from './payments.ts';
import * as payout from './payout.ts';
import * as secret from './secret.ts';
import * as setUpStripe from './set-up-stripe.ts';
import * as storage from './storage.ts';
import * as user from './user.ts';
import { withDatabase } from './with-database.ts';

/** Commands, and how each is written. */
interface Chapter {
  USAGE: string;
  COMMANDS?: Commands;
  BARE_COMMANDS?: BareCommands;
}

// Of two names that begin alike, the longer one comes first.
const CHAPTERS: Chapter[] = [
  ...[ledger, payout, user, backup, move, importing, account, link, doctor, mcp, payments],
  ...[setUpStripe, jobs, storage, deliveries, secret],
];

const USAGE = [
  'Usage: npm run cli -- COMMAND [--json]',
  ...CHAPTERS.map((chapter) => chapter.USAGE),
].join('\n');

/** How the commands that begin with a word are written: whole pages would hide what was wrong. */
function writeUsage(word = ''): string {
  const [head, ...commands] = USAGE.split(/\n(?= {2}\S)/);
  const meant = commands.filter((command) => command.trimStart().split(/\s/, 1)[0] === word);
  return [head, ...(meant.length > 0 ? meant : commands)].join('\n');
}

/** Errors whose message is for the operator. */
const REFUSALS = [
  BackupRefused,
  ConfigError,
  DomainError,
  EntryConflictError,
  MoveRefused,
  UnreachableError,
];

/** Opens the database that the settings name before a command. */
function onDatabase(command: Commands[string]) {
  return async (call: BareCall): Promise<Outcome> => {
    const config = readConfig(call.environment);
    const { database } = config;
    const { out } = call;
    if (database.kind === 'sqlite' && !existsSync(database.file)) {
      out.error(`${database.file} does not exist. Set DATA_DIR or DATABASE_URL as for the server.`);
      return FAILED;
    }
    return withDatabase(database, out, (db) => command({ ...call, db, config }));
  };
}

const ALL: BareCommands = {};
for (const { COMMANDS = {}, BARE_COMMANDS } of CHAPTERS) {
  Object.assign(ALL, BARE_COMMANDS);
  for (const [name, command] of Object.entries(COMMANDS)) ALL[name] = onDatabase(command);
}

/**
 * Runs what a line of words asks for, on the database that the environment configures.
 * @returns the exit code: 1 for what could not be done or for faults found, 2 for words that say
 * nothing
 */
export async function runCommand(
  line: string[],
  environment: Environment,
  out: Output,
): Promise<number> {
  const name = Object.keys(ALL).find((known) => `${line.join(' ')} `.startsWith(`${known} `));
  const command = name && ALL[name];
  if (!command) {
    const [word = 'help'] = line;
    if (['help', '--help', '-h'].includes(word)) {
      out.log(USAGE);
      return line.length > 0 ? 0 : 2;
    }
    out.error(`There is no command “${line.join(' ')}”.\n\n${writeUsage(word)}`);
    return 2;
  }
  try {
    const given = line.slice(name.split(' ').length);
    const { json, words } =
      name === 'ledger export' ? { json: false, words: given } : takeJsonOption(given);
    const run = (to: Output) => command({ environment, out: to, words });
    const { ok } = await (json ? inJson(out, run) : run(out));
    return ok ? 0 : 1;
  } catch (error) {
    if (error instanceof Misuse) {
      out.error(`${name}: ${error.message}\n\n${writeUsage(line[0])}`);
      return 2;
    }
    if (!(error instanceof Error && REFUSALS.some((kind) => error instanceof kind))) throw error;
    out.error(error.message);
    return 1;
  }
}
