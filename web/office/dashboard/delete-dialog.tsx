import { useEffect, useId, useRef } from 'react';
import { say } from '../../languages/say.ts';
import { Alert } from '../../ui/alert.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';

interface DeleteDialogProps {
  name: string;
  busy: boolean;
  error: string;
  onDelete(): void;
  onClose(): void;
}

/** Asks once more. */
export function DeleteDialog({ name, busy, error, onDelete, onClose }: DeleteDialogProps) {
  const id = useId();
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);

  return (
    <Dialog describedBy={`${id}-text`} labelledBy={`${id}-title`} onClose={onClose}>
      {(close) => (
        <>
          <h2 className="text-xl wrap-anywhere" id={`${id}-title`}>
            {say('Delete “{name}”?', { name })}
          </h2>
          <p className="mt-3 text-muted" id={`${id}-text`}>
            {say(
              'Nobody will be able to buy it. Buyers keep what they bought. You can restore it for at least 30 days.',
            )}
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
              leaveWords={say('Keep it')}
              onDo={onDelete}
              onLeave={close}
              tone="danger"
              words={say(busy ? 'Deleting...' : 'Delete link')}
            />
          </div>
        </>
      )}
    </Dialog>
  );
}
