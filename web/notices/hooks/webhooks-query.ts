import { type FragmentOf, graphql, type ResultOf } from '../../lib/graphql.ts';

const hookFields = graphql(
  'fragment HookFields on Webhook { id url allSellers state createdAt failingSince earlierSecretUntil }',
);

const eventFields = graphql(
  'fragment HookEventFields on WebhookEvent { id type body state createdAt attempts { at ms status answer answerFact } }',
);

export type Hook = FragmentOf<typeof hookFields>;
export type HookEvent = FragmentOf<typeof eventFields>;

export const webhooksQuery = graphql(
  `
    query Webhooks($webhook: ID!, $after: String, $log: Boolean!) {
      listWebhooks { items { ...HookFields } mayHearAll }
      listWebhookEvents(webhook: $webhook, nextToken: $after) @include(if: $log) {
        items { ...HookEventFields }
        nextToken
      }
    }
  `,
  [hookFields, eventFields],
);

export type WebhooksData = ResultOf<typeof webhooksQuery>;

export const creation = graphql(
  `
    mutation CreateWebhook($url: String!, $allSellers: Boolean!) {
      createWebhook(url: $url, allSellers: $allSellers) { secret webhook { ...HookFields } }
    }
  `,
  [hookFields],
);

export const rotation = graphql(
  `
    mutation RotateWebhookSecret($id: ID!) {
      rotateWebhookSecret(id: $id) { secret webhook { ...HookFields } }
    }
  `,
  [hookFields],
);

export const pausing = graphql(
  'mutation SetWebhookPaused($id: ID!, $paused: Boolean!) { setWebhookPaused(id: $id, paused: $paused) }',
);

export const deletion = graphql('mutation DeleteWebhook($id: ID!) { deleteWebhook(id: $id) }');

export const resending = graphql(
  'mutation ResendWebhookEvent($webhook: ID!, $id: ID!) { resendWebhookEvent(webhook: $webhook, id: $id) }',
);
