/** Why something is reported or taken down, as forms and emails say it. */
export const MODERATION_REASONS = {
  copyright: 'Copyright or trademark infringement',
  illegal: 'Illegal content',
  exploitation: 'Abuse or exploitation of a person',
  malware: 'Malware',
  fraud: 'Fraud, or not as described',
  other: 'Another reason',
} as const;

export type ModerationReason = keyof typeof MODERATION_REASONS;

/** Characters of what is said of a report, a take-down, an objection or an answer. */
export const MAX_MODERATION_WORDS = 2_000;

/** How long ago a sale can be that a take-down refunds: no card is refunded later. */
export const MAX_REFUND_DAYS = 180;

export function isModerationReason(text: string): text is ModerationReason {
  return Object.hasOwn(MODERATION_REASONS, text);
}
