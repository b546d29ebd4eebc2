import { useId, useRef } from 'react';
import { useHydrated } from '../../data/use-hydrated.ts';
import { MoreIcon } from '../icons.tsx';

interface LinkMenuProps {
  name: string;
  paused: boolean;
  busy: boolean;
  onTogglePause(): Promise<void>;
  onDelete(): void;
}

/** What can be done with a link. Closing it gives the focus back to its button. */
export function LinkMenu({ name, paused, busy, onTogglePause, onDelete }: LinkMenuProps) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const hydrated = useHydrated();
  const close = () => menu.current?.hidePopover();

  async function togglePause() {
    await onTogglePause();
    close();
  }

  function askToDelete() {
    close();
    onDelete();
  }

  return (
    <>
      <button
        className="button button-secondary button-small"
        disabled={!hydrated}
        popoverTarget={id}
        type="button"
      >
        <MoreIcon className="size-5" />
        <span className="sr-only">Manage {name}</span>
      </button>
      <div className="row-menu" id={id} popover="auto" ref={menu}>
        <button
          aria-busy={busy}
          aria-disabled={busy}
          className="row-menu-item"
          onClick={togglePause}
          type="button"
        >
          {pauseLabel(paused, busy)}
        </button>
        <button className="row-menu-item" onClick={askToDelete} type="button">
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
