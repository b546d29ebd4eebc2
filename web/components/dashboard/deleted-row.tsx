import { formatDay, formatPrice } from '../../data/format.ts';
import type { OwnLink } from '../../data/link-pages.ts';
import { nameOwnLink } from '../../data/name-link.ts';
import { LinkKey } from '../link-key.tsx';
import { LinkNumbers } from './link-numbers.tsx';

/** A link that is gone: its sales stay in the books, its buyers keep it. */
export function DeletedRow({ link }: { link: OwnLink }) {
  return (
    <li className="dashboard-row">
      <LinkKey className="dashboard-key" id={link.id} />
      <div className="min-w-0 flex-1 basis-64">
        <p className="truncate text-muted">{nameOwnLink(link)}</p>
        <p className="text-sm text-muted">
          {link.id}, deleted on {link.deletedAt && formatDay(link.deletedAt)}
        </p>
        <LinkNumbers of={link.statistics} />
      </div>
      <span className="text-lg font-semibold tabular-nums">{formatPrice(link.price)}</span>
    </li>
  );
}
