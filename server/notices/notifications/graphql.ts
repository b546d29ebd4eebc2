import { builder, ownMutation } from '../../edge/graphql/builder.ts';
import { notifyBrowser, stopNotifying } from './browsers.ts';
import { chooseNotifications } from './choice.ts';

ownMutation('setNotifications', {
  description: 'Chooses how the signed-in account is told of its sales. What is left out stays.',
  args: builder.args((t) => ({
    sales: t.string({
      description: "An email for 'each' sale, a 'daily' one for all of a UTC day, or 'none'.",
    }),
    weekly: t.boolean({ description: 'Whether an email on Mondays sums up the week.' }),
  })),
  run: ({ db, now }, { id }, choice) => chooseNotifications(db, id, choice, now()),
});

ownMutation('notifyBrowser', {
  description:
    "Has the browser of this session show each sale, until the session ends. Takes what the browser's push subscription says.",
  args: builder.args((t) => ({
    endpoint: t.string({ required: true }),
    p256dh: t.string({ required: true, description: 'Base64url.' }),
    auth: t.string({ required: true, description: 'Base64url.' }),
  })),
  run: ({ db, now, hooks: { allowPrivate } }, { id: ownerId, sessionId }, subscription) =>
    notifyBrowser({ db, now, allowPrivate }, { ownerId, sessionId }, subscription),
});

ownMutation('stopNotifyingBrowser', {
  description: 'Ends that for a browser of the signed-in account; for this one without an id.',
  args: builder.args((t) => ({ id: t.id({ description: 'Of its session.' }) })),
  run: ({ db }, user, { id }) => stopNotifying(db, user.id, id ?? user.sessionId),
});
