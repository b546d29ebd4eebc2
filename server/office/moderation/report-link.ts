import { randomUUID } from 'node:crypto';
import { TEXTS } from '../../../contract/texts.ts';
import { findLink, isOffered } from '../../catalog/links/queries.ts';
import type { Database, DatabaseContext } from '../../ground/database/tables.ts';
import { transaction } from '../../ground/database/transaction.ts';
import { DomainError } from '../../ground/lib/domain-error.ts';
import { HOUR_MS } from '../../ground/lib/time.ts';
import { noticeOperators } from './notice-operators.ts';
import { parseReason, parseWords } from './parse-words.ts';

interface ReportInput {
  linkId: string;
  /** One of MODERATION_REASONS. */
  reason: string;
  words: string;
  /** For questions; empty for none. */
  email: string;
}

const MAX_EMAIL_LENGTH = 254;

/**
 * Keeps what a visitor says of a link, for the operators.
 * @throws DomainError LINK_NOT_FOUND, INVALID_INPUT
 */
export async function reportLink(
  { db, now }: DatabaseContext,
  { linkId, ...input }: ReportInput,
): Promise<void> {
  const link = await findLink(db, linkId);
  if (!link || !isOffered(link)) throw new DomainError('LINK_NOT_FOUND', TEXTS.linkNotFound);
  const email = input.email.trim();
  if (email !== '' && (email.length > MAX_EMAIL_LENGTH || !/^[^@\s]+@[^@\s]+$/.test(email))) {
    throw new DomainError('INVALID_INPUT', 'Enter a valid email address, or leave it blank.');
  }
  const report = { reason: parseReason(input.reason), words: parseWords(input.words) };
  await transaction(db, async (trx) => {
    await trx
      .insertInto('report')
      .values({
        id: randomUUID(),
        link_id: linkId,
        ...report,
        email: email || null,
        created_at: now(),
        closed_at: null,
      })
      .execute();
    await noticeOperators(trx, now());
  });
}

/** A report is kept for a year. */
const KEPT_MS = 365 * 24 * HOUR_MS;

export async function sweepReports(db: Database, now: number): Promise<void> {
  const end = now - KEPT_MS;
  await db.deleteFrom('report').where('created_at', '<', end).execute();
  await db
    .deleteFrom('report_notice')
    .where('hour', '<', end / HOUR_MS)
    .execute();
}
