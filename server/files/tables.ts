import type { Selectable } from 'kysely';

interface FileTable {
  /** public/{link id}-{name} */
  key: string;
  /** Opaque random name: of the upload's URL and of the blob in the store. */
  blob: string;
  owner_id: string;
  link_id: string;
  /** With the folders that it lies in: "track1/mix.txt". */
  name: string;
  size_bytes: number;
  media_type: string;
  /** When the upload was opened, or was last given room again. */
  created_at: number;
  /** Null while the upload runs. Set only after the bytes are durable. */
  finished_at: number | null;
  /** Of the bytes, in hexadecimal; null until it is known. */
  sha256: string | null;
  /** Null until the bytes are hashed, and scanned where there is a scanner: until then, pending. */
  checked_at: number | null;
  /** Why it is neither sold nor delivered, as a sentence; null if it may be. */
  refused_because: string | null;
  /** JSON of what was read from the bytes; null where nothing was. */
  facts: string | null;
  /** Of the bytes, as ZIP archives have it; null until it is known. */
  crc32: number | null;
}

/** A blob that this database no longer needs: nothing else is ever swept. */
interface UnneededBlobTable {
  blob: string;
  /** When it may be moved to quarantine. */
  due_at: number;
  /** Null until it was moved there. */
  quarantined_at: number | null;
  /** Whose file it was, and its bytes; null for what is not an upload. */
  owner_id: string | null;
  size_bytes: number | null;
}

/**
 * What an account's files use. Triggers keep it with every row of `file` and `unneeded_blob`, whoever
 * writes it; nobody has a row whose figures are all 0.
 */
interface FileUsageTable {
  owner_id: string;
  /** Of all files, unfinished uploads included. */
  used_bytes: number;
  open_uploads: number;
  /** Of files that were deleted and are not removed yet. */
  deleted_bytes: number;
}

/** Where the parts of a running upload are in S3-compatible storage. */
interface MultipartUploadTable {
  blob: string;
  /** What the store calls it; null until a whole part of it is there. */
  upload_id: string | null;
  /** Of the whole blob. */
  size_bytes: number;
  /** Of every part except the last. */
  part_bytes: number;
  /** When bytes last arrived, or were about to. */
  changed_at: number;
}

/** A blob whose copy in another store was compared with it, while all of them move there. */
interface MovedBlobTable {
  blob: string;
  /** The other store's. */
  place: string;
}

/** What the operator allows an account, in place of the settings; null where these hold. */
interface AccountQuotaTable {
  user_id: string;
  bytes: number | null;
  links: number | null;
  uploads_a_day: number | null;
}

/** Uploads that an account started on the last day with any, where there is a limit. */
interface UploadsOfDayTable {
  user_id: string;
  /** Whole UTC days since 1970. */
  day: number;
  uploads: number;
}

/** Bytes that a take-down refuses, in whatever file they come. */
interface BlockedFileTable {
  sha256: string;
  take_down_id: string;
}

declare module '../ground/database/tables.ts' {
  interface Tables {
    account_quota: AccountQuotaTable;
    uploads_of_day: UploadsOfDayTable;
    file: FileTable;
    unneeded_blob: UnneededBlobTable;
    file_usage: FileUsageTable;
    multipart_upload: MultipartUploadTable;
    moved_blob: MovedBlobTable;
    blocked_file: BlockedFileTable;
  }
}

export type AccountQuota = Selectable<AccountQuotaTable>;
export type StoredFile = Selectable<FileTable>;
