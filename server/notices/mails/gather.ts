import type { MailName } from '../../../contract/mails.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import type { Letter } from '../../ground/lib/letter.ts';
import type { JobPayloads, MailKind } from '../../ground/outbox/tables.ts';
import type { MailLinks } from './links.ts';

/** What the facts of an email are gathered from. */
export interface GatherContext extends DatabaseContext {
  links: MailLinks;
  /** Of a code for one more browser. */
  hashCode(grantId: string, code: string): string;
  operatorEmails: string[];
  /** Whose sales are summed up; there are none of the other mode. */
  mode: 'test' | 'live';
  /** How long a sale is pending; null where there is no balance. */
  holdMs: number | null;
}

/** A letter, and what is done once the mail server has answered. */
export type Outgoing<Name extends MailName = MailName> = Letter<Name> & {
  accepted?: () => Promise<unknown>;
  /** Called when it refuses the address for good. */
  refused?: () => Promise<unknown>;
};

/** Gathers what a job is to send: nothing, where that is not wanted or not true any more. */
export type Gather<Kind extends MailKind, Name extends MailName = MailName> = (
  context: GatherContext,
  payload: JobPayloads[Kind],
) => Promise<Outgoing<Name>[]>;

/** How each email is gathered, by the kind of its job. */
export type Gathers = { [Kind in MailKind]: Gather<Kind, MailOf<Kind>> };

/** The job `send-refund-failed` sends `refundFailed`; gifts have a receipt of their own. */
type MailOf<Kind extends MailKind> = Kind extends 'send-receipt'
  ? 'receipt' | 'giftReceipt'
  : Kind extends `send-${infer Words}`
    ? Extract<CamelCase<Words>, MailName>
    : never;

type CamelCase<Words extends string> = Words extends `${infer First}-${infer Others}`
  ? `${First}${Capitalize<CamelCase<Others>>}`
  : Words;
