import { useState } from 'react';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { deleteLink } from './delete-link.ts';
import { editLink } from './edit-link.ts';
import type { OwnLink } from './link-pages.ts';
import { nameOwnLink } from './name-link.ts';
import { messageOf } from './request-error.ts';
import { isSignedOut, leadToSignIn } from './sign-in-again.ts';

export interface OwnLinkEvents {
  /** The link as it is now, and what is to be said of it. */
  onChanged(link: OwnLink, said: string): void;
  onDeleted(link: OwnLink): void;
}

/** What a creator does with a link of the list: `busy` while it is done, `error` if it failed. */
export function useOwnLink(config: RuntimeConfig, link: OwnLink, events: OwnLinkEvents) {
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

  return {
    busy,
    error,
    togglePause: () =>
      attempt(async () => {
        const changed = await editLink(config, { id: link.id, paused: !link.paused });
        const state = changed.paused ? 'is paused. Nobody can buy it.' : 'can be bought again.';
        events.onChanged(changed, `${nameOwnLink(changed)} ${state}`);
      }),
    remove: () =>
      attempt(async () => {
        await deleteLink(config, link.id);
        events.onDeleted(link);
      }),
  };
}
