import type {
  ContentTakenDownInput,
  ReportsWaitInput,
  TakeDownInput,
} from '../../contract/mails.ts';
import { MODERATION_REASONS } from '../../contract/moderation.ts';
import { say } from '../languages/say.ts';
import { countOf, nameLink } from '../lib/format.ts';
import type { Mail } from './mail-layout.tsx';
import { noticeMail, plainMail } from './plain-mail.tsx';

/** For the seller: what the operator decided about a link. */
export function takeDown({ notice, reason, words, title, linkId, ...input }: TakeDownInput): Mail {
  const item = nameLink({ id: linkId, title });
  const button = { href: `${input.origin}/dashboard`, label: 'Open your dashboard' };
  switch (notice) {
    case 'taken-down':
      return noticeMail({
        ...{ ...input, button },
        subject: `Your link was taken down: ${item}`,
        lead: `We took your link ${item} down. The reason: ${MODERATION_REASONS[reason]}. ${words}`,
        note: 'Nobody can open, buy or download it now, including those who bought it, and its files cannot be uploaded again. If you think that this is a mistake, you can object once, on your dashboard.',
      });
    case 'answered':
      return noticeMail({
        ...{ ...input, button },
        subject: `Your objection was answered: ${item}`,
        lead: `We have looked at your objection, and your link ${item} stays down. ${words}`,
        note: '',
      });
    case 'undone':
      return noticeMail({
        ...{ ...input, button },
        subject: `Your link was restored: ${item}`,
        lead: `Your link ${item} is no longer taken down. It is again as it was, and everyone who bought it and was not refunded can open it.`,
        note: 'You do not have to do anything.',
      });
  }
}

/** For a buyer: what they bought is gone, and whether the money comes back. */
export function contentTakenDown(input: ContentTakenDownInput): Mail {
  const item = nameLink({ id: input.linkId, title: input.title });
  return plainMail({
    ...input,
    subject: say('No longer available: {item}', { item }),
    title: say('What you bought is no longer available'),
    lead: say('We had to take {item} down, so it can no longer be opened or downloaded.', { item }),
    note: input.isRefunded
      ? say('We are refunding your payment in full. A separate email confirms the refund.')
      : '',
  });
}

/** For operators: something waits for their decision. */
export function reportsWait({ reports, objections, origin }: ReportsWaitInput): Mail {
  const waiting = [
    reports > 0 && countOf(reports, 'report'),
    objections > 0 && countOf(objections, 'objection'),
  ].filter(Boolean);
  const what = waiting.join(' and ');
  return plainMail({
    ...{ origin, supportEmail: null },
    subject: `Waiting for you: ${what}`,
    title: 'Hello,',
    lead: `${what} to links on ${new URL(origin).host} ${reports + objections === 1 ? 'waits' : 'wait'} for your decision.`,
    button: { href: `${origin}/operator/reports`, label: 'Read what was said' },
    note: 'At most one such email is sent in an hour. On the server, npm run cli -- link reports shows the same.',
  });
}
