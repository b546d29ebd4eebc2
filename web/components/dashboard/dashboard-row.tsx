import { useState } from 'react';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { paywallAddress } from '../../data/addresses.ts';
import { formatPrice } from '../../data/format.ts';
import type { OwnLink } from '../../data/link-pages.ts';
import { nameOwnLink } from '../../data/name-link.ts';
import { type OwnLinkEvents, useOwnLink } from '../../data/use-own-link.ts';
import { Alert } from '../alert.tsx';
import { CopyButton } from '../copy-button.tsx';
import { LinkKey } from '../link-key.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { LinkMenu } from './link-menu.tsx';
import { LinkNumbers } from './link-numbers.tsx';
import { LinkStates } from './link-states.tsx';
import { ShareDialog } from './share-dialog.tsx';

interface DashboardRowProps extends OwnLinkEvents {
  link: OwnLink;
  config: RuntimeConfig;
}

export function DashboardRow({ link, config, ...events }: DashboardRowProps) {
  const [dialog, setDialog] = useState<'edit' | 'share' | 'delete' | null>(null);
  const { busy, error, togglePause, remove } = useOwnLink(config, link, events);
  const address = paywallAddress(config.origin, link.id);
  const name = nameOwnLink(link);
  const close = () => setDialog(null);
  return (
    <li className="dashboard-row">
      <LinkKey className="dashboard-key" id={link.id} />
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
        <LinkNumbers of={link.statistics} />
      </div>
      <div className="flex flex-1 flex-wrap items-center gap-x-3 gap-y-2 sm:flex-none">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <LinkStates link={link} />
          <span className="text-lg font-semibold tabular-nums">{formatPrice(link.price)}</span>
        </span>
        <div className="ms-auto flex gap-2">
          <CopyButton of={`the link ${name}`} text={address} />
          <LinkMenu
            busy={busy}
            id={link.id}
            name={name}
            onDelete={() => setDialog('delete')}
            onEdit={() => setDialog('edit')}
            onShare={() => setDialog('share')}
            onTogglePause={togglePause}
            paused={link.paused}
          />
        </div>
      </div>
      {error && dialog !== 'delete' && (
        <div className="w-full">
          <Alert>{error}</Alert>
        </div>
      )}
      {dialog === 'edit' && (
        <EditDialog config={config} link={link} onClose={close} onSaved={events.onChanged} />
      )}
      {dialog === 'share' && (
        <ShareDialog address={address} name={name} onClose={close} title={link.title} />
      )}
      {dialog === 'delete' && (
        <DeleteDialog busy={busy} error={error} name={name} onClose={close} onDelete={remove} />
      )}
    </li>
  );
}
