import { builder, requireUser } from '../../edge/graphql/builder.ts';
import { notifyBrowser, stopNotifying } from './browsers.ts';
import { chooseNotifications } from './choice.ts';

builder.mutationField('setNotifications', (t) =>
  t.boolean({
    description: 'Chooses how the signed-in account is told of its sales. What is left out stays.',
    args: {
      sales: t.arg.string({
        description: "An email for 'each' sale, a 'daily' one for all of a UTC day, or 'none'.",
      }),
      weekly: t.arg.boolean({ description: 'Whether an email on Mondays sums up the week.' }),
    },
    resolve: async (_root, args, context) => {
      const { id } = requireUser(context);
      await context.limits.take('writes', id);
      await chooseNotifications(context.db, id, args, context.now());
      return true;
    },
  }),
);

builder.mutationField('notifyBrowser', (t) =>
  t.boolean({
    description:
      "Has the browser of this session show each sale, until the session ends. Takes what the browser's push subscription says.",
    args: {
      endpoint: t.arg.string({ required: true }),
      p256dh: t.arg.string({ required: true, description: 'Base64url.' }),
      auth: t.arg.string({ required: true, description: 'Base64url.' }),
    },
    resolve: async (_root, subscription, context) => {
      const { id: ownerId, sessionId } = requireUser(context);
      await context.limits.take('writes', ownerId);
      const { db, now, hooks } = context;
      const { allowPrivate } = hooks;
      await notifyBrowser({ db, now, allowPrivate }, { ownerId, sessionId }, subscription);
      return true;
    },
  }),
);

builder.mutationField('stopNotifyingBrowser', (t) =>
  t.boolean({
    description: 'Ends that for a browser of the signed-in account; for this one without an id.',
    args: { id: t.arg.id({ description: 'Of its session.' }) },
    resolve: async (_root, { id }, context) => {
      const user = requireUser(context);
      await context.limits.take('writes', user.id);
      await stopNotifying(context.db, user.id, id ?? user.sessionId);
      return true;
    },
  }),
);
