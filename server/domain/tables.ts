import type { Kysely, Transaction } from 'kysely';
import type { AccountTables } from './accounts/tables.ts';
import type { FileTables } from './files/tables.ts';
import type { InstallationTables } from './installation/tables.ts';
import type { LedgerTables } from './ledger/tables.ts';
import type { LinkTables } from './links/tables.ts';
import type { OutboxTables } from './outbox/tables.ts';
import type { PurchaseTables } from './purchases/tables.ts';
import type { StatisticsTables } from './statistics/tables.ts';

/** Every table. Times are UTC milliseconds, money is integer cents, flags are 0 or 1. */
export interface Tables
  extends AccountTables,
    FileTables,
    InstallationTables,
    LedgerTables,
    LinkTables,
    OutboxTables,
    PurchaseTables,
    StatisticsTables {}

/** The database or an open transaction: what every operation of the domain takes. */
export type Database = Kysely<Tables>;
export type DatabaseTransaction = Transaction<Tables>;
