import type { Language } from '../../../contract/languages.ts';
import type {
  LinkFacts,
  Mail,
  MailInput,
  OwnerFacts,
  PurchaseFacts,
} from '../../../contract/mails.ts';
import { MODERATION_REASONS, type ModerationReason } from '../../../contract/moderation.ts';
import { say } from '../../languages/say.ts';
import { nameLink, sayCount, sayList } from '../../lib/format.ts';
import { openDashboard } from './buttons.ts';
import { noticeMail, plainMail } from './plain-mail.tsx';

declare module '../../../contract/mails.ts' {
  interface MailFacts {
    takeDown: OwnerFacts &
      LinkFacts & {
        notice: 'taken-down' | 'answered' | 'undone';
        reason: ModerationReason;
        /** The operator's: why, or the answer to the objection. */
        words: string;
      };
    contentTakenDown: PurchaseFacts & {
      isRefunded: boolean;
      /** What was taken down of a bundle; null where all that was bought is. */
      part: { id: string; title: string | null } | null;
    };
    reportsWait: { language: Language; reports: number; objections: number };
  }
}

/** For the seller: what the operator decided about a link. */
export function takeDown(input: MailInput<'takeDown'>): Mail {
  const { notice, reason, words, title, linkId } = input;
  const item = nameLink({ id: linkId, title });
  const said = {
    'taken-down': {
      subject: say('Your link was taken down: {item}', { item }),
      lead: say('We took your link {item} down. Reason: {reason}. {words}', {
        item,
        words,
        reason: say(MODERATION_REASONS[reason]),
      }),
      note: say(
        'Nobody can open, buy or download it now, not even those who bought it, and its files cannot be uploaded again. If you think that this is a mistake, you can object once, on your dashboard.',
      ),
    },
    answered: {
      subject: say('Your objection was answered: {item}', { item }),
      lead: say('We have looked at your objection, and your link {item} stays down. {words}', {
        item,
        words,
      }),
      note: '',
    },
    undone: {
      subject: say('Your link was restored: {item}', { item }),
      lead: say(
        'Your link {item} is no longer taken down. It has been restored, and everyone who bought it and was not refunded can open it.',
        { item },
      ),
      note: say('You do not have to do anything.'),
    },
  };
  return noticeMail({ ...input, ...said[notice], button: openDashboard(input.origin) });
}

/** For a buyer: what they bought is gone, and whether the money comes back. */
export function contentTakenDown(input: MailInput<'contentTakenDown'>): Mail {
  const { part } = input;
  const bought = nameLink({ id: input.linkId, title: input.title });
  const item = part ? nameLink(part) : bought;
  return plainMail({
    ...input,
    subject: say('No longer available: {item}', { item }),
    title: say(
      part
        ? 'Part of what you bought is no longer available'
        : 'What you bought is no longer available',
    ),
    lead: part
      ? say(
          'We had to take {item} down, a part of {bundle}, so it can no longer be opened or downloaded.',
          { item, bundle: bought },
        )
      : say('We had to take {item} down, so it can no longer be opened or downloaded.', { item }),
    note: noteOf(input.isRefunded, part !== null),
  });
}

function noteOf(isRefunded: boolean, isPart: boolean): string {
  if (isPart) return say('Everything else in the bundle stays yours.');
  return isRefunded
    ? say('We are refunding your payment in full. A separate email confirms the refund.')
    : '';
}

/** For operators: something waits for their decision. */
export function reportsWait({ reports, objections, origin }: MailInput<'reportsWait'>): Mail {
  const waiting = [
    reports > 0 && sayCount(reports, '1 report', '{count} reports'),
    objections > 0 && sayCount(objections, '1 objection', '{count} objections'),
  ].filter((count) => count !== false);
  const what = sayList(waiting, '{list} and {next}');
  const { host } = new URL(origin);
  return plainMail({
    origin,
    supportEmail: null,
    subject: say('Waiting for you: {what}', { what }),
    title: say('Hello,'),
    lead: say(
      reports + objections === 1
        ? '{what} about links on {host} is waiting for your decision.'
        : '{what} about links on {host} are waiting for your decision.',
      { what, host },
    ),
    button: { href: `${origin}/operator/reports`, label: say('Read what was said') },
    note: say(
      'At most one such email is sent an hour. On the server, npm run cli -- link reports shows the same.',
    ),
  });
}
