import { SharePanel } from '../share/share-panel.tsx';

interface LinkMadeProps {
  address: string;
  title: string | null;
  onAnother(): void;
}

/** The new link, ready to be shared, and where to go from here. */
export function LinkMade({ address, title, onAnother }: LinkMadeProps) {
  return (
    <>
      <div className="card p-6 shadow-card sm:p-8">
        <SharePanel address={address} title={title} />
      </div>
      <div className="mt-6 flex flex-wrap gap-3">
        <button className="button button-secondary" onClick={onAnother} type="button">
          Upload another
        </button>
        <a className="button button-secondary" href="/dashboard">
          Go to Dashboard
        </a>
      </div>
    </>
  );
}
