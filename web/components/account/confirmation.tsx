import { type ReactNode, useEffect, useRef, useState } from 'react';

interface ConfirmationProps {
  /** What would be done, and what it means. */
  children: ReactNode;
  label: string;
  busyLabel: string;
  onConfirmed(): Promise<void>;
  onKept(): void;
}

/** Asks once more before what cannot be undone. */
export function Confirmation(props: ConfirmationProps) {
  const { children, label, busyLabel, onConfirmed, onKept } = props;
  const [busy, setBusy] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);

  async function confirm() {
    setBusy(true);
    await onConfirmed();
  }

  return (
    <div className="rounded-card bg-well p-5">
      <p>{children}</p>
      <div className="mt-4 flex flex-wrap gap-3">
        <button
          aria-busy={busy}
          className="button button-danger button-small"
          disabled={busy}
          onClick={confirm}
          type="button"
        >
          {busy ? busyLabel : label}
        </button>
        <button
          className="button button-secondary button-small"
          disabled={busy}
          onClick={onKept}
          ref={keep}
          type="button"
        >
          Keep it
        </button>
      </div>
    </div>
  );
}
