import { existsSync } from 'node:fs';
import { EntryConflictError } from '../books/ledger/post-entry.ts';
import { ConfigError, type Environment, readConfig } from '../ground/config/read-config.ts';
import { UnreachableError } from '../ground/database/postgres.ts';
import { DomainError } from '../ground/lib/domain-error.ts';
import { BackupRefused } from '../running/backup/backup-refused.ts';
import { MoveRefused } from '../running/installation/move-storage.ts';
import { ACCOUNT_COMMANDS, ACCOUNT_USAGE } from './account.ts';
import { BACKUP_COMMANDS, BACKUP_USAGE, RESTORE_COMMANDS } from './backup.ts';
import {
  type BareCall,
  type Call,
  FAILED,
  inJson,
  Misuse,
  type Outcome,
  type Output,
  takeJsonOption,
} from './command-line.ts';
import { DELIVERY_COMMANDS, DELIVERY_USAGE } from './deliveries.ts';
import { DOCTOR_COMMANDS, DOCTOR_USAGE } from './doctor.ts';
import { JOBS_COMMANDS, JOBS_USAGE } from './jobs.ts';
import { LEDGER_COMMANDS, LEDGER_USAGE } from './ledger.ts';
import { LINK_COMMANDS, LINK_USAGE } from './link.ts';
import { MCP_COMMANDS, MCP_USAGE } from './mcp.ts';
import { MOVE_COMMANDS, MOVE_USAGE } from './move.ts';
import { openProvider } from './open-provider.ts';
import { PAYMENT_COMMANDS, PAYMENT_USAGE } from './payments.ts';
import { PAYOUT_COMMANDS, PAYOUT_USAGE } from './payout.ts';
import { SECRET_COMMANDS, SECRET_USAGE } from './secret.ts';
import { STORAGE_COMMANDS, STORAGE_USAGE } from './storage.ts';
import { USER_COMMANDS, USER_USAGE } from './user.ts';
import { withDatabase } from './with-database.ts';

const USAGE = `Usage: npm run cli -- COMMAND [--json]
${LEDGER_USAGE}
${PAYOUT_USAGE}
${USER_USAGE}
${BACKUP_USAGE}
${MOVE_USAGE}
${ACCOUNT_USAGE}
${LINK_USAGE}
${DOCTOR_USAGE}
${MCP_USAGE}
${PAYMENT_USAGE}
${JOBS_USAGE}
${STORAGE_USAGE}
${DELIVERY_USAGE}
${SECRET_USAGE}`;

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

/** Each works on the configured database. */
const ON_DATABASE: Record<string, (call: Call) => Promise<Outcome>> = {
  ...LEDGER_COMMANDS,
  ...PAYOUT_COMMANDS,
  ...USER_COMMANDS,
  ...BACKUP_COMMANDS,
  ...MOVE_COMMANDS,
  ...ACCOUNT_COMMANDS,
  ...LINK_COMMANDS,
  ...PAYMENT_COMMANDS,
  ...JOBS_COMMANDS,
  ...STORAGE_COMMANDS,
  ...DELIVERY_COMMANDS,
  ...SECRET_COMMANDS,
};

/** Opens the database that the settings name before a command. */
function onDatabase(command: (call: Call) => Promise<Outcome>) {
  return async ({ environment, out, words }: BareCall): Promise<Outcome> => {
    const config = readConfig(environment);
    const { database } = config;
    if (database.kind === 'sqlite' && !existsSync(database.file)) {
      out.error(`${database.file} does not exist. Set DATA_DIR or DATABASE_URL as for the server.`);
      return FAILED;
    }
    return withDatabase(database, out, (db) =>
      command({
        db,
        config,
        environment,
        out,
        words,
        openProvider: () => openProvider(config, out),
      }),
    );
  };
}

const COMMANDS: Record<string, (call: BareCall) => Promise<Outcome>> = {
  ...RESTORE_COMMANDS,
  ...DOCTOR_COMMANDS,
  ...MCP_COMMANDS,
  ...Object.fromEntries(
    Object.entries(ON_DATABASE).map(([name, command]) => [name, onDatabase(command)]),
  ),
};

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
  const name = Object.keys(COMMANDS).find((known) => `${line.join(' ')} `.startsWith(`${known} `));
  const command = name && COMMANDS[name];
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
