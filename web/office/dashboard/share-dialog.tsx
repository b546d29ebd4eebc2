import { useId } from 'react';
import { say } from '../../languages/say.ts';
import { SharePanel } from '../../selling/sharing/share-panel.tsx';
import { Dialog } from '../../ui/dialog.tsx';

interface ShareDialogProps {
  name: string;
  address: string;
  title: string | null;
  onClose(): void;
}

/** Every way to share a link. */
export function ShareDialog({ name, address, title, onClose }: ShareDialogProps) {
  const id = useId();
  return (
    <Dialog labelledBy={id} onClose={onClose}>
      {(close) => (
        <>
          <p className="mb-1 text-muted wrap-anywhere" id={id}>
            {say('Share “{name}”', { name })}
          </p>
          <SharePanel address={address} title={title} />
          <button className="button button-secondary mt-6 w-full" onClick={close} type="button">
            {say('Done')}
          </button>
        </>
      )}
    </Dialog>
  );
}
