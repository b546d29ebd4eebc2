import { paywallAddress } from '../../data/addresses.ts';
import { CopyButton } from '../copy-button.tsx';

/** Told to the creator, for whom the page always stands open. */
export function OwnerBar({ id, origin }: { id: string; origin: string }) {
  return (
    <aside
      aria-labelledby="your-link"
      className="card mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 py-2 pr-3 pl-5"
    >
      <p className="me-auto font-medium" id="your-link">
        Your link
      </p>
      <CopyButton of="this link" text={paywallAddress(origin, id)} />
      <a
        className="text-link inline-flex min-h-11 items-center px-2"
        href={`/dashboard?edit=${id}`}
      >
        Edit
      </a>
      <a
        className="text-link inline-flex min-h-11 items-center px-2"
        href={`/p/${id}?preview=buyer`}
      >
        Preview as a buyer
      </a>
    </aside>
  );
}
