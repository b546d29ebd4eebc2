/** Accounts that were made operators; those of OPERATOR_EMAILS are operators without a row. */
interface OperatorTable {
  user_id: string;
  granted_at: number;
}

export const SUBJECT_KINDS = [
  'link',
  'account',
  'invitation',
  'purchase',
  'payout',
  'job',
  'report',
] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** What operators did: the database refuses to change or delete any of it. */
interface OperatorActTable {
  id: string;
  acted_at: number;
  actor_kind: 'account' | 'service-key' | 'cli';
  /** Of an account; it may be deleted since. */
  actor_id: string | null;
  /** Such as 'link.taken-down'. */
  act: string;
  subject_kind: SubjectKind;
  subject_id: string;
  reason: string | null;
  /** JSON. */
  details: string | null;
}

/** Accounts that the operator has suspended. */
interface SuspensionTable {
  user_id: string;
  suspended_at: number;
  /** A sentence, as its owner was told. */
  reason: string;
}

declare module '../database/tables.ts' {
  interface Tables {
    operator: OperatorTable;
    operator_act: OperatorActTable;
    suspension: SuspensionTable;
  }
}
