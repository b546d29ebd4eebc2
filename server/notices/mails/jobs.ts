import type { SendLetter } from '../../ground/lib/letter.ts';
import type { JobPayloads, MailKind } from '../../ground/outbox/tables.ts';
import type { JobHandlers } from '../../ground/outbox/worker.ts';
import type { Gather, GatherContext, Outgoing } from './gather.ts';
import { hookMails } from './hook-notices.ts';
import { operatorMails } from './operator-notices.ts';
import { payoutMails } from './payout-notices.ts';
import { receiptMails } from './receipts.ts';
import { refundMails } from './refund-notices.ts';
import { saleMails } from './sale-notices.ts';
import { soldMails } from './sold-notices.ts';
import { takeDownMails } from './take-down-notices.ts';
import { announceVersion, versionMails } from './version-notices.ts';

const GATHERS: { [Kind in MailKind]: Gather<Kind> } = {
  ...hookMails,
  ...operatorMails,
  ...payoutMails,
  ...receiptMails,
  ...refundMails,
  ...saleMails,
  ...soldMails,
  ...takeDownMails,
  ...versionMails,
};

interface MailJobsContext extends GatherContext {
  sendLetter: SendLetter;
}

/** The jobs that send emails: each gathers what there is to say when it runs. */
export function createMailJobs(
  context: MailJobsContext,
): Pick<JobHandlers, MailKind | 'announce-version'> {
  async function send(letter: Outgoing): Promise<void> {
    try {
      await context.sendLetter(letter);
    } catch (error) {
      if (isRefused(error)) await letter.refused?.();
      throw error;
    }
    await letter.accepted?.();
  }
  async function run<Kind extends MailKind>(kind: Kind, payload: JobPayloads[Kind]): Promise<void> {
    for (const letter of await GATHERS[kind](context, payload)) await send(letter);
  }
  const kinds = Object.keys(GATHERS) as MailKind[];
  const handlers = kinds.map((kind) => [
    kind,
    (payload: JobPayloads[MailKind]) => run(kind, payload),
  ]);
  return {
    ...(Object.fromEntries(handlers) as Pick<JobHandlers, MailKind>),
    'announce-version': (announcement) => announceVersion(context, announcement),
  };
}

/** For good: with a 5xx answer to the recipient. */
function isRefused(error: unknown): boolean {
  const { responseCode = 0, command = '' } = error as { responseCode?: number; command?: string };
  return responseCode >= 500 && command.startsWith('RCPT');
}
