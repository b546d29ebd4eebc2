import type {
  ContentTakenDownInput,
  ReportsWaitInput,
  TakeDownInput,
} from '../../contract/mails.ts';
import { MODERATION_REASONS } from '../../contract/moderation.ts';
import { say } from '../languages/say.ts';
import { nameLink, sayCount, sayList } from '../lib/format.ts';
import type { Mail } from './mail-layout.tsx';
import { noticeMail, plainMail } from './plain-mail.tsx';

/** For the seller: what the operator decided about a link. */
export function takeDown({ notice, reason, words, title, linkId, ...input }: TakeDownInput): Mail {
  const item = nameLink({ id: linkId, title });
  const button = { href: `${input.origin}/dashboard`, label: say('Open your dashboard') };
  switch (notice) {
    case 'taken-down':
      return noticeMail({
        ...{ ...input, button },
        subject: say('Your link was taken down: {item}', { item }),
        lead: say('We took your link {item} down. The reason: {reason}. {words}', {
          ...{ item, words, reason: say(MODERATION_REASONS[reason]) },
        }),
        note: say(
          'Nobody can open, buy or download it now, including those who bought it, and its files cannot be uploaded again. If you think that this is a mistake, you can object once, on your dashboard.',
        ),
      });
    case 'answered':
      return noticeMail({
        ...{ ...input, button },
        subject: say('Your objection was answered: {item}', { item }),
        lead: say('We have looked at your objection, and your link {item} stays down. {words}', {
          ...{ item, words },
        }),
        note: '',
      });
    case 'undone':
      return noticeMail({
        ...{ ...input, button },
        subject: say('Your link was restored: {item}', { item }),
        lead: say(
          'Your link {item} is no longer taken down. It is again as it was, and everyone who bought it and was not refunded can open it.',
          { item },
        ),
        note: say('You do not have to do anything.'),
      });
  }
}

/** For a buyer: what they bought is gone, and whether the money comes back. */
export function contentTakenDown({ part, ...input }: ContentTakenDownInput): Mail {
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
export function reportsWait({ reports, objections, origin }: ReportsWaitInput): Mail {
  const waiting = [
    reports > 0 && sayCount(reports, '1 report', '{count} reports'),
    objections > 0 && sayCount(objections, '1 objection', '{count} objections'),
  ].filter((count) => count !== false);
  const what = sayList(waiting, '{list} and {next}');
  const { host } = new URL(origin);
  return plainMail({
    ...{ origin, supportEmail: null },
    subject: say('Waiting for you: {what}', { what }),
    title: say('Hello,'),
    lead: say(
      reports + objections === 1
        ? '{what} to links on {host} waits for your decision.'
        : '{what} to links on {host} wait for your decision.',
      { what, host },
    ),
    button: { href: `${origin}/operator/reports`, label: say('Read what was said') },
    note: say(
      'At most one such email is sent in an hour. On the server, npm run cli -- link reports shows the same.',
    ),
  });
}
