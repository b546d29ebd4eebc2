import { paywallAddress } from '../data/addresses.ts';
import { CopyButton } from './copy-button.tsx';

/** Told to the creator, for whom the page always stands open. */
export function OwnerNote({ id, origin }: { id: string; origin: string }) {
  return (
    <aside
      aria-label="This is your link"
      className="card mb-4 flex items-center justify-between gap-4 py-2.5 pr-2.5 pl-5"
    >
      <p className="font-medium">This is your link</p>
      <CopyButton of="this link" text={paywallAddress(origin, id)} />
    </aside>
  );
}
