import { paywallAddress } from '../data/addresses.ts';
import { formatPrice } from '../data/format.ts';
import type { LinkItem } from '../data/link-pages.ts';
import { nameOwnLink } from '../data/name-link.ts';
import { CopyButton } from './copy-button.tsx';
import { LinkBadges } from './link-badges.tsx';

interface DashboardRowProps {
  link: LinkItem & { key: string | null; url: string | null };
  origin: string;
}

export function DashboardRow({ link, origin }: DashboardRowProps) {
  const address = paywallAddress(origin, link.id);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4">
      <div className="min-w-0 flex-1 basis-64">
        <p className={`truncate ${link.title ? 'font-medium' : 'text-muted'}`}>
          {nameOwnLink(link)}
        </p>
        <a
          className="text-link inline-flex min-h-11 max-w-full items-center break-all"
          href={address}
          rel="noopener"
          target="_blank"
        >
          {address}
        </a>
      </div>
      <div className="flex flex-1 items-center justify-between gap-4 sm:flex-none">
        <LinkBadges link={link} />
        <span className="text-lg font-semibold tabular-nums">{formatPrice(link.price)}</span>
        <CopyButton of={`the link ${nameOwnLink(link)}`} text={address} />
      </div>
    </li>
  );
}
