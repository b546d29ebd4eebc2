import type { MouseEvent } from 'react';
import { priceOf } from '../../../contract/links.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { type Sentence, say, tell } from '../../languages/say.ts';
import { nameOwnLink, paywallAddress } from '../../lib/addresses.ts';
import { formatDay, formatPrice, sayCount } from '../../lib/format.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { useOnDemand } from '../../lib/use-on-demand.ts';
import { Alert } from '../../ui/alert.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Funnel } from '../../ui/funnel.tsx';
import { LinkCover } from '../../ui/link-cover.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { useEditDialog } from './edit-on-demand.ts';
import type { OwnLink } from './link-pages.ts';
import { type OwnLinkEvents, restoreLink, useAttempt, useOwnLink } from './use-own-link.ts';

const loadDeleteDialog = () =>
  import('./delete-dialog.tsx').then(({ DeleteDialog }) => DeleteDialog);
const loadShareDialog = () => import('./share-dialog.tsx').then(({ ShareDialog }) => ShareDialog);

interface DashboardRowProps extends OwnLinkEvents {
  link: OwnLink;
  /** Of its drawn cover. */
  tone: number | undefined;
  config: RuntimeConfig;
}

export function DashboardRow({ link, tone, config, ...events }: DashboardRowProps) {
  const edit = useEditDialog();
  const share = useOnDemand(loadShareDialog);
  const deletion = useOnDemand(loadDeleteDialog);
  const { busy, error, togglePause, remove } = useOwnLink(config, link, events);
  const address = link.short ? config.origin + link.short : paywallAddress(config.origin, link.id);
  const name = nameOwnLink(link);
  const trouble = error || edit.failure || share.failure || deletion.failure;
  return (
    <li className="dashboard-row">
      <LinkCover className="row-cover" face={link} id={link.id} tone={tone} />
      <div className="min-w-0 flex-1 basis-64">
        <p className={`truncate text-left ${link.title ? 'font-medium' : 'text-muted'}`} dir="auto">
          {name}
        </p>
        <a
          className="text-link inline-flex min-h-11 max-w-full items-center break-all"
          href={address}
          rel="noopener"
          target="_blank"
        >
          {address}
        </a>
        <LinkNumbers of={link.statistics} />
        <p className="text-sm">
          {link.hold
            ? tell(link.hold)
            : link.left !== null && link.left > 0 && say('{count} left', { count: link.left })}
        </p>
      </div>
      <div className="flex flex-1 flex-wrap items-center gap-x-3 gap-y-2 sm:flex-none">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <LinkStates link={link} />
          <RowPrice of={link} />
        </span>
        <div className="ms-auto flex gap-2">
          <CopyButton of={say('the link {name}', { name })} text={address} />
          <LinkMenu
            busy={busy}
            content={contentPage(link)}
            id={link.id}
            name={name}
            onDelete={deletion.open}
            onEdit={edit.open}
            onShare={share.open}
            onTogglePause={togglePause}
            paused={link.paused}
          />
        </div>
      </div>
      {trouble && !deletion.Shown && (
        <div className="w-full">
          <Alert>{trouble}</Alert>
        </div>
      )}
      {edit.Shown && (
        <edit.Shown config={config} link={link} onClose={edit.close} onSaved={events.onChanged} />
      )}
      {share.Shown && (
        <share.Shown address={address} name={name} onClose={share.close} title={link.title} />
      )}
      {deletion.Shown && (
        <deletion.Shown
          busy={busy}
          error={error}
          name={name}
          onClose={deletion.close}
          onDelete={remove}
        />
      )}
    </li>
  );
}

const contentPage = ({ id, type }: OwnLink) =>
  type === 'bundle' ? `/dashboard/bundle?edit=${id}` : `/upload?link=${id}`;

/** Of a link that was made free too: what it costs once it is not. */
function RowPrice({ of }: { of: OwnLink }) {
  return (
    <span className="text-lg font-semibold tabular-nums">
      {of.least === null ? formatPrice(of.price) : tell(priceOf(of))}
    </span>
  );
}

interface DeletedRowProps {
  link: OwnLink;
  tone: number | undefined;
  config: RuntimeConfig;
  onRestored(link: OwnLink): void;
}

/** A deleted link: its sales stay in the books, its buyers keep it, and it can come back. */
export function DeletedRow({ link, tone, config, onRestored }: DeletedRowProps) {
  const { busy, error, attempt } = useAttempt();
  const hydrated = useHydrated();
  const name = nameOwnLink(link);
  const restore = () =>
    attempt(async () => {
      await restoreLink(config, link.id);
      onRestored(link);
    });
  return (
    <li className="dashboard-row">
      <LinkCover className="row-cover" face={link} id={link.id} tone={tone} />
      <div className="min-w-0 flex-1 basis-64">
        <p className="truncate text-left text-muted" dir="auto">
          {name}
        </p>
        <p className="text-sm text-muted">
          {link.deletedAt &&
            say('{id}, deleted on {day}', { id: link.id, day: formatDay(link.deletedAt) })}
        </p>
        <LinkNumbers of={link.statistics} />
      </div>
      <div className="flex flex-1 flex-wrap items-center gap-x-3 gap-y-2 sm:flex-none">
        <RowPrice of={link} />
        <button
          aria-busy={busy}
          aria-disabled={busy}
          aria-label={say('Restore {name}', { name })}
          className="button button-secondary button-small ms-auto"
          disabled={!hydrated}
          onClick={restore}
          type="button"
        >
          {say(busy ? 'Restoring...' : 'Restore')}
        </button>
      </div>
      {error && (
        <div className="w-full">
          <Alert>{error}</Alert>
        </div>
      )}
    </li>
  );
}

/** What came of it so far. */
function LinkNumbers({ of }: { of: OwnLink['statistics'] }) {
  if (!of) return null;
  return (
    <p className="text-sm text-muted tabular-nums">
      <Funnel of={of} />
      {of.refunds > 0 && `, ${sayCount(of.refunds, '1 refund', '{count} refunds')}`}
    </p>
  );
}

/** Whether a link can be bought (on sale, unless stated otherwise) and found. */
function LinkStates({ link }: { link: OwnLink }) {
  const { type, paused, pending, hold, free, unlisted, left } = link;
  const isSoldOut = left === 0 && !hold;
  const isOnSale = !paused && !hold && !free && !isSoldOut;
  return (
    <>
      {paused && <span className="badge">{say('Paused')}</span>}
      {free && <span className="badge">{say('Free')}</span>}
      {hold && !pending && (
        <span className="badge">{say(type === 'bundle' ? 'Incomplete' : 'Refused')}</span>
      )}
      {pending && <span className="badge">{say('Being checked')}</span>}
      {isSoldOut && <span className="badge">{say('Sold out')}</span>}
      {isOnSale && <span className="badge">{say('On sale')}</span>}
      {unlisted && <span className="badge">{say('Unlisted')}</span>}
    </>
  );
}

interface LinkMenuProps {
  id: string;
  /** Where it is given other content. */
  content: string;
  name: string;
  paused: boolean;
  busy: boolean;
  onEdit(): void;
  onShare(): void;
  onTogglePause(): Promise<void>;
  onDelete(): void;
}

/** What can be done with a link. */
function LinkMenu({ id, content, name, paused, busy, onTogglePause, ...ask }: LinkMenuProps) {
  return (
    <RowMenu name={name}>
      {(close) => (
        <>
          <a
            className="row-menu-item"
            href={`/dashboard?edit=${id}`}
            onClick={(event) => editHere(event, () => close(ask.onEdit))}
          >
            {say('Edit')}
          </a>
          <button className="row-menu-item" onClick={() => close(ask.onShare)} type="button">
            {say('Share')}
          </button>
          <a className="row-menu-item" href={content}>
            {say('Replace content')}
          </a>
          <a className="row-menu-item" href={`/dashboard/choices?link=${id}`}>
            {say('Choices')}
          </a>
          <a className="row-menu-item" href={`/p/${id}?preview=buyer`}>
            {say('Preview')}
          </a>
          <a className="row-menu-item" href={`/dashboard/sources?link=${id}`}>
            {say('Visitors')}
          </a>
          <button
            aria-busy={busy}
            aria-disabled={busy}
            className="row-menu-item"
            onClick={() => void onTogglePause().then(() => close())}
            type="button"
          >
            {say(pauseLabel(paused, busy))}
          </button>
          <hr />
          <button
            className="row-menu-item text-danger"
            onClick={() => close(ask.onDelete)}
            type="button"
          >
            {say('Delete')}
          </button>
        </>
      )}
    </RowMenu>
  );
}

function editHere(event: MouseEvent, edit: () => void) {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  edit();
}

function pauseLabel(paused: boolean, busy: boolean): Sentence {
  if (busy) return paused ? 'Resuming...' : 'Pausing...';
  return paused ? 'Resume' : 'Pause';
}
