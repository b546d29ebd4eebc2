import { useEffect, useId, useRef } from 'react';
import { Alert } from '../alert.tsx';
import { Dialog } from './dialog.tsx';

interface DeleteDialogProps {
  name: string;
  busy: boolean;
  error: string;
  onDelete(): void;
  onClose(): void;
}

/** Asks once more: a deleted link does not come back. */
export function DeleteDialog({ name, busy, error, onDelete, onClose }: DeleteDialogProps) {
  const id = useId();
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);

  return (
    <Dialog describedBy={`${id}-text`} labelledBy={`${id}-title`} onClose={onClose}>
      {(close) => (
        <>
          <h2 className="text-xl wrap-anywhere" id={`${id}-title`}>
            Delete “{name}”?
          </h2>
          <p className="mt-3 text-muted" id={`${id}-text`}>
            Nobody can buy it any more. Buyers keep what they bought. This cannot be undone.
          </p>
          {error && (
            <div className="mt-4">
              <Alert>{error}</Alert>
            </div>
          )}
          <div className="mt-6 flex flex-wrap gap-3">
            <button
              aria-busy={busy}
              aria-disabled={busy}
              className="button button-danger button-small"
              onClick={onDelete}
              type="button"
            >
              {busy ? 'Deleting...' : 'Delete link'}
            </button>
            <button
              className="button button-secondary button-small"
              onClick={close}
              ref={keep}
              type="button"
            >
              Keep it
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
