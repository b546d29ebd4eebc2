import { say } from '../../languages/say.ts';
import { nameOwnLink } from '../../lib/addresses.ts';
import { formatPrice } from '../../lib/format.ts';
import type { NewSale } from './use-dashboard.ts';

interface SaleNoteProps {
  /** The newest first. */
  sales: NewSale[];
  onDismiss(): void;
}

/**
 * What was sold while the page is open. It stays at the lower edge of the window until it is
 * dismissed, and has room of its own at the end of the page, so that it never hides what is there.
 */
export function SaleNote({ sales, onDismiss }: SaleNoteProps) {
  const [newest, ...earlier] = sales;
  const sum = sales.reduce((total, { gross }) => total + gross, 0);
  return (
    <div className="pointer-events-none sticky bottom-4 z-10 flex justify-end">
      <div
        className={
          newest &&
          'card pointer-events-auto flex max-w-md items-center gap-3 py-2 pr-2 pl-5 shadow-lg'
        }
      >
        <p className="min-w-0 wrap-anywhere" role="status">
          {newest && (
            <span className="font-medium">
              {say('Sold: {name}, {price}', {
                name: nameOwnLink({ ...newest, id: newest.linkId }),
                price: formatPrice(newest.gross),
              })}
            </span>
          )}
          {earlier.length > 0 && (
            <span className="block text-sm text-muted">
              {say('{count} sales since you opened this page, {price} in total', {
                count: sales.length,
                price: formatPrice(sum),
              })}
            </span>
          )}
        </p>
        {newest && (
          <button
            className="button button-secondary button-small"
            onClick={onDismiss}
            type="button"
          >
            {say('Dismiss')}
          </button>
        )}
      </div>
    </div>
  );
}
