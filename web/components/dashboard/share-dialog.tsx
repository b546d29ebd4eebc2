import { useId } from 'react';
import { SharePanel } from '../share/share-panel.tsx';
import { Dialog } from './dialog.tsx';

interface ShareDialogProps {
  name: string;
  address: string;
  title: string | null;
  onClose(): void;
}

/** Every way to hand a link on. */
export function ShareDialog({ name, address, title, onClose }: ShareDialogProps) {
  const id = useId();
  return (
    <Dialog labelledBy={id} onClose={onClose}>
      {(close) => (
        <>
          <p className="mb-1 text-muted wrap-anywhere" id={id}>
            Share “{name}”
          </p>
          <SharePanel address={address} title={title} />
          <button className="button button-secondary mt-6 w-full" onClick={close} type="button">
            Done
          </button>
        </>
      )}
    </Dialog>
  );
}
