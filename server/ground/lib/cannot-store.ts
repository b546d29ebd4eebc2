/** SQLite's result codes; their higher bytes hold details. */
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
/** What SQLite says when it finds no room for its shared memory, and when writing fails. */
const SQLITE_WRITE_FAULTS = new Set<unknown>([778, 4874]);

/** The system's names, and PostgreSQL's disk_full. */
const FULL = new Set<unknown>(['ENOSPC', 'EDQUOT', '53100']);
/** PostgreSQL's read_only_sql_transaction. */
const POSTGRES_READ_ONLY = '25006';
/** The first is the system's name. */
const READ_ONLY = new Set<unknown>(['EROFS', POSTGRES_READ_ONLY]);

/** Whether the disk, or the database on it, says that it is full. */
export function isFull(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  return FULL.has(code) || primary(errcode) === SQLITE_FULL;
}

/** Whether disk or database take nothing, because they are full or may only be read. */
export function cannotStore(error: unknown): boolean {
  if (isFull(error)) return true;
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  if (READ_ONLY.has(code)) return true;
  return primary(errcode) === SQLITE_READONLY || SQLITE_WRITE_FAULTS.has(errcode);
}

function primary(errcode: unknown): number {
  return typeof errcode === 'number' ? errcode & 0xff : 0;
}

const NOT_OURS = 'the data folder must belong to the user that runs Padlink: chown -R';
const TOO_MANY_OPEN = 'raise the limit of open files: ulimit -n, or LimitNOFILE= of its service';
const WRITE_PROTECTED =
  'the disk takes no writes: look into the log of the kernel, and mount it for writing';
const STANDBY =
  'the database takes no writes: lead DATABASE_URL to the primary server, and see that its default_transaction_read_only is off';
const FAILING =
  'the disk fails: look into the log of the kernel, and run npm run cli -- storage verify';

/** What the operator has to do when the system refuses a file, by the system's names. */
const REMEDIES: Record<string, string> = {
  EACCES: NOT_OURS,
  EPERM: NOT_OURS,
  EMFILE: TOO_MANY_OPEN,
  ENFILE: TOO_MANY_OPEN,
  EROFS: WRITE_PROTECTED,
  EIO: FAILING,
};

/** PostgreSQL's io_error. */
const POSTGRES_IO_ERROR = '58030';

/** What files are kept in cannot be used. `remedy` says to the operator what to do. */
export class StorageFault extends Error {
  override name = 'StorageFault';
  readonly remedy: string;

  constructor(message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.remedy = remedy;
  }
}

/** The disk failed while it took a change, which may be found again or not. */
export class UnconfirmedChange extends StorageFault {
  override name = 'UnconfirmedChange';
}

const FILE_CALLS = /^(open|read|write|writev|fsync|stat|lstat|statfs|rename|unlink|mkdir|scandir)$/;

/** What the operator has to do when files or the database fail; null for every other error. */
export function remedyFor(error: unknown): string | null {
  if (error instanceof StorageFault) return error.remedy;
  const { code = '', syscall = '', errcode } = (error ?? {}) as Record<string, unknown>;
  if (code === POSTGRES_IO_ERROR) return FAILING;
  if (code === POSTGRES_READ_ONLY) return STANDBY;
  if (primary(errcode) === SQLITE_READONLY) return WRITE_PROTECTED;
  if (primary(errcode) === SQLITE_IOERR && !SQLITE_WRITE_FAULTS.has(errcode)) return FAILING;
  return FILE_CALLS.test(String(syscall)) ? (REMEDIES[String(code)] ?? null) : null;
}
