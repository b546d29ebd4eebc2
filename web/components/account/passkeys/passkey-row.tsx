import { useState } from 'react';
import type { PasskeyDetails } from '../../../../contract/account-details.ts';
import { formatDay } from '../../../data/format.ts';
import { removePasskey } from '../../../data/passkeys.ts';
import { needSession } from '../../../data/sign-in-again.ts';
import { useHydrated } from '../../../data/use-hydrated.ts';
import { useQuestion } from '../../../data/use-question.ts';
import { ChangeFailure } from '../change-failure.tsx';
import { Confirmation } from '../confirmation.tsx';

interface PasskeyRowProps {
  passkey: PasskeyDetails;
  onBegun(): void;
  onRemoved(): void;
}

export function PasskeyRow({ passkey, onBegun, onRemoved }: PasskeyRowProps) {
  const { id, name, createdAt } = passkey;
  const hydrated = useHydrated();
  const { isAsking, button, ask, close } = useQuestion();
  const [failure, setFailure] = useState<unknown>();

  function begin() {
    onBegun();
    setFailure(undefined);
    ask();
  }

  async function remove() {
    try {
      await needSession(removePasskey(id));
      onRemoved();
    } catch (error) {
      setFailure(error);
      close();
    }
  }

  return (
    <li className="space-y-3 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0">
          <span className="block font-medium break-words">{name}</span>
          <span className="text-sm text-muted">Added on {formatDay(createdAt)}</span>
        </p>
        {!isAsking && (
          <button
            className="button button-secondary button-small"
            disabled={!hydrated}
            onClick={begin}
            ref={button}
            type="button"
          >
            Remove
            <span className="sr-only"> {name}</span>
          </button>
        )}
      </div>
      {isAsking && (
        <Confirmation
          busyLabel="Removing..."
          label="Remove passkey"
          onConfirmed={remove}
          onKept={close}
        >
          Remove <strong className="break-words">{name}</strong>? It can no longer sign you in.
        </Confirmation>
      )}
      <ChangeFailure error={failure} />
    </li>
  );
}
