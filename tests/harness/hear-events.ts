import { graphql } from '../factories/factories.ts';
import type { Person } from './person.ts';

/**
 * Gives somebody a webhook, at an address that nothing is sent to.
 * @returns what it was told so far of events of some types, the first one first
 */
export async function hearEvents(person: Person) {
  const { createWebhook } = await graphql<{ createWebhook: { webhook: { id: string } } }>(
    person,
    'mutation { createWebhook(url: "https://127.0.0.1/") { webhook { id } } }',
  );
  const query = 'query ($id: ID!) { listWebhookEvents(webhook: $id) { items { type body } } }';
  return async (types: RegExp) => {
    const { listWebhookEvents } = await graphql<{
      listWebhookEvents: { items: { type: string; body: string }[] };
    }>(person, query, createWebhook.webhook);
    const heard = listWebhookEvents.items.filter(({ type }) => types.test(type));
    return heard.map(({ body }) => JSON.parse(body)).reverse();
  };
}
