import { useEffect, useId, useRef } from 'react';
import { Alert } from '../alert.tsx';
import { Dialog } from './dialog.tsx';
import { DialogButtons } from './dialog-buttons.tsx';

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
          <div className="mt-6">
            <DialogButtons
              busy={busy}
              leaveRef={keep}
              leaveWords="Keep it"
              onDo={onDelete}
              onLeave={close}
              tone="danger"
              words={busy ? 'Deleting...' : 'Delete link'}
            />
          </div>
        </>
      )}
    </Dialog>
  );
}
