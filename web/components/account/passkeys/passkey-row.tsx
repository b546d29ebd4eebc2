import { useState } from 'react';
import type { PasskeyDetails } from '../../../../contract/account-details.ts';
import { formatDay } from '../../../data/format.ts';
import { removePasskey } from '../../../data/passkeys.ts';
import { useHydrated } from '../../../data/use-hydrated.ts';
import { ChangeFailure } from '../change-failure.tsx';

interface PasskeyRowProps {
  passkey: PasskeyDetails;
  onRemoved(): void;
}

export function PasskeyRow({ passkey: { id, name, createdAt }, onRemoved }: PasskeyRowProps) {
  const hydrated = useHydrated();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();

  async function remove() {
    setBusy(true);
    setFailure(undefined);
    try {
      await removePasskey(id);
      onRemoved();
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  }

  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0">
          <span className="block font-medium break-words">{name}</span>
          <span className="text-sm text-muted">Added on {formatDay(createdAt)}</span>
        </p>
        <button
          aria-busy={busy}
          className="button button-secondary button-small"
          disabled={!hydrated || busy}
          onClick={remove}
          type="button"
        >
          {busy ? 'Removing...' : 'Remove'}
          <span className="sr-only"> {name}</span>
        </button>
      </div>
      <ChangeFailure error={failure} />
    </li>
  );
}
