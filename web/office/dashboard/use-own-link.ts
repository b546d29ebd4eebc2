import { useState } from 'react';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { say } from '../../languages/say.ts';
import { nameOwnLink } from '../../lib/addresses.ts';
import { graphql, type VariablesOf } from '../../lib/graphql.ts';
import { messageOf, RequestError } from '../../lib/request-error.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { isSignedOut, leadToSignIn } from '../../lib/sign-in-again.ts';
import { type OwnLink, ownLink } from './link-pages.ts';

export interface OwnLinkEvents {
  /** The link as it is now, and the message about it. */
  onChanged(link: OwnLink, said: string): void;
  onDeleted(link: OwnLink): void;
}

/** One thing at a time: `busy` while it is being done, `error` if it failed. */
export function useAttempt() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');

  async function attempt(operation: () => Promise<void>): Promise<void> {
    if (busy) return;
    setBusy(true);
    setError('');
    try {
      await operation();
    } catch (cause) {
      if (isSignedOut(cause)) leadToSignIn();
      setError(messageOf(cause));
    } finally {
      setBusy(false);
    }
  }

  return { busy, error, attempt };
}

/** What a creator can do with a link in the list. */
export function useOwnLink(config: RuntimeConfig, link: OwnLink, events: OwnLinkEvents) {
  const { attempt, ...state } = useAttempt();
  return {
    ...state,
    togglePause: () =>
      attempt(async () => {
        const changed = await editLink(config, { id: link.id, paused: !link.paused });
        const words = changed.paused
          ? '{name} is paused. Nobody can buy it.'
          : '{name} can be bought again.';
        events.onChanged(changed, say(words, { name: nameOwnLink(changed) }));
      }),
    remove: () =>
      attempt(async () => {
        await deleteLink(config, link.id);
        events.onDeleted(link);
      }),
  };
}

const deletePaywallLink = graphql(`
  mutation DeletePaywallLink($id: ID!) {
    deletePaywallLink(input: { id: $id }) { id }
  }
`);

/** Deletes a link; one that is already gone is fine. Throws RequestError. */
async function deleteLink(config: RuntimeConfig, id: string): Promise<void> {
  try {
    await requestGraphql(config, deletePaywallLink, { id });
  } catch (error) {
    if (error instanceof RequestError && error.code === 'LINK_NOT_FOUND') return;
    throw error;
  }
}

const updatePaywallLink = graphql(
  `mutation EditPaywallLink($input: UpdatePaywallLinkInput!) {
    updatePaywallLink(input: $input) { ...OwnLink }
  }`,
  [ownLink],
);

type Input = VariablesOf<typeof updatePaywallLink>['input'];

/** Changes a link. Returns it as changed. Throws RequestError. */
export async function editLink(config: RuntimeConfig, input: Input): Promise<OwnLink> {
  const answer = await requestGraphql(config, updatePaywallLink, { input });
  if (!answer.updatePaywallLink) throw new Error('The server changed no link');
  return answer.updatePaywallLink;
}

const restorePaywallLink = graphql(`
  mutation RestorePaywallLink($id: ID!) {
    restorePaywallLink(input: { id: $id }) { id }
  }
`);

/** Puts a deleted link back on sale. Throws RequestError. */
export async function restoreLink(config: RuntimeConfig, id: string): Promise<void> {
  await requestGraphql(config, restorePaywallLink, { id });
}
