import { useEffect, useRef, useState } from 'react';

interface RevokeConfirmationProps {
  name: string;
  onRevoke(): Promise<void>;
  onKeep(): void;
}

/** Asks once more: what used the key stops working, and no key comes back. */
export function RevokeConfirmation({ name, onRevoke, onKeep }: RevokeConfirmationProps) {
  const [busy, setBusy] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);

  async function revoke() {
    setBusy(true);
    await onRevoke();
  }

  return (
    <div className="rounded-card bg-well p-5">
      <p>
        Revoke <strong className="break-words">{name}</strong>? Programs that use it stop working at
        once. This cannot be undone.
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <button
          aria-busy={busy}
          className="button button-primary button-small"
          disabled={busy}
          onClick={revoke}
          type="button"
        >
          {busy ? 'Revoking...' : 'Revoke key'}
        </button>
        <button
          className="button button-secondary button-small"
          disabled={busy}
          onClick={onKeep}
          ref={keep}
          type="button"
        >
          Keep it
        </button>
      </div>
    </div>
  );
}
