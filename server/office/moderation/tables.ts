import type { Generated } from 'kysely';
import type { ModerationReason } from '../../../contract/moderation.ts';

/** One time that the operator took a link down. */
interface TakeDownTable {
  id: string;
  link_id: string;
  reason: ModerationReason;
  /** For its seller. */
  words: string;
  /** Whoever paid since then is refunded; null where nobody is. */
  refunded_from: number | null;
  /** The grant of the last buyer who was told. */
  followed_until: Generated<string>;
  taken_down_at: number;
  /** Its seller's, once. */
  objection: string | null;
  objected_at: number | null;
  /** The operator's, to that. */
  answer: string | null;
  answered_at: number | null;
  undone_at: number | null;
}

/** What a visitor says of a link, kept for a year. */
interface ReportTable {
  id: string;
  link_id: string;
  reason: ModerationReason;
  words: string;
  /** For questions, if the visitor gave one. */
  email: string | null;
  created_at: number;
  /** When its link was taken down, or an operator saw no need to. */
  closed_at: number | null;
}

/** The hours since 1970 in which operators were mailed that something waits for them. */
interface ReportNoticeTable {
  hour: number;
}

declare module '../../ground/database/tables.ts' {
  interface Tables {
    take_down: TakeDownTable;
    report: ReportTable;
    report_notice: ReportNoticeTable;
  }
}
