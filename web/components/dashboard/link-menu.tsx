import { type MouseEvent, useId, useRef } from 'react';
import { useHydrated } from '../../data/use-hydrated.ts';
import { MoreIcon } from '../icons.tsx';

interface LinkMenuProps {
  id: string;
  name: string;
  paused: boolean;
  busy: boolean;
  onEdit(): void;
  onShare(): void;
  onTogglePause(): Promise<void>;
  onDelete(): void;
}

/** What can be done with a link. Closing it gives the focus back to its button. */
export function LinkMenu({ id, name, paused, busy, onTogglePause, ...ask }: LinkMenuProps) {
  const menuId = useId();
  const menu = useRef<HTMLDivElement>(null);
  const hydrated = useHydrated();

  function closeFor(next: () => void) {
    menu.current?.hidePopover();
    next();
  }

  function editHere(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    closeFor(ask.onEdit);
  }

  async function togglePause() {
    await onTogglePause();
    menu.current?.hidePopover();
  }

  return (
    <>
      <button
        className="button button-secondary button-small"
        disabled={!hydrated}
        popoverTarget={menuId}
        type="button"
      >
        <MoreIcon className="size-5" />
        <span className="sr-only">Manage {name}</span>
      </button>
      <div className="row-menu" id={menuId} popover="auto" ref={menu}>
        <a className="row-menu-item" href={`/dashboard?edit=${id}`} onClick={editHere}>
          Edit
        </a>
        <button className="row-menu-item" onClick={() => closeFor(ask.onShare)} type="button">
          Share
        </button>
        <a className="row-menu-item" href={`/p/${id}?preview=buyer`}>
          Preview
        </a>
        <button
          aria-busy={busy}
          aria-disabled={busy}
          className="row-menu-item"
          onClick={togglePause}
          type="button"
        >
          {pauseLabel(paused, busy)}
        </button>
        <button className="row-menu-item" onClick={() => closeFor(ask.onDelete)} type="button">
          Delete
        </button>
      </div>
    </>
  );
}

function pauseLabel(paused: boolean, busy: boolean): string {
  if (busy) return paused ? 'Resuming...' : 'Pausing...';
  return paused ? 'Resume' : 'Pause';
}
