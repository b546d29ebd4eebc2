import { useState } from 'react';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { paywallAddress } from '../../data/addresses.ts';
import { formatPrice } from '../../data/format.ts';
import type { OwnLink } from '../../data/link-pages.ts';
import { nameOwnLink } from '../../data/name-link.ts';
import { type OwnLinkEvents, useOwnLink } from '../../data/use-own-link.ts';
import { Alert } from '../alert.tsx';
import { CopyButton } from '../copy-button.tsx';
import { LinkBadges } from '../link-badges.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { LinkMenu } from './link-menu.tsx';

interface DashboardRowProps extends OwnLinkEvents {
  link: OwnLink;
  config: RuntimeConfig;
}

export function DashboardRow({ link, config, ...events }: DashboardRowProps) {
  const [asking, setAsking] = useState(false);
  const { busy, error, togglePause, remove } = useOwnLink(config, link, events);
  const address = paywallAddress(config.origin, link.id);
  const name = nameOwnLink(link);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4">
      <div className="min-w-0 flex-1 basis-64">
        <p className={`truncate ${link.title ? 'font-medium' : 'text-muted'}`}>{name}</p>
        <a
          className="text-link inline-flex min-h-11 max-w-full items-center break-all"
          href={address}
          rel="noopener"
          target="_blank"
        >
          {address}
        </a>
      </div>
      <div className="flex flex-1 flex-wrap items-center gap-x-3 gap-y-2 sm:flex-none">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <LinkBadges link={link} />
          {link.free && <span className="badge">Free</span>}
          <span className="text-lg font-semibold tabular-nums">{formatPrice(link.price)}</span>
        </span>
        <div className="ms-auto flex gap-2">
          <CopyButton of={`the link ${name}`} text={address} />
          <LinkMenu
            busy={busy}
            name={name}
            onDelete={() => setAsking(true)}
            onTogglePause={togglePause}
            paused={link.paused}
          />
        </div>
      </div>
      {error && !asking && (
        <div className="w-full">
          <Alert>{error}</Alert>
        </div>
      )}
      {asking && (
        <DeleteDialog
          busy={busy}
          error={error}
          name={name}
          onClose={() => setAsking(false)}
          onDelete={remove}
        />
      )}
    </li>
  );
}
