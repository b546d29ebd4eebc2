import { type ReactNode, type ToggleEvent, useId, useRef } from 'react';
import { say } from '../languages/say.ts';
import { useHydrated } from '../lib/use-hydrated.ts';
import { Icon } from './icons.tsx';

interface RowMenuProps {
  /** Of what the row shows. */
  name: string;
  /** What can be done with it. To close the menu gives the focus back to its button. */
  children(close: (next?: () => void) => void): ReactNode;
}

/** Everything that can be done with a row of a list, behind one button. */
export function RowMenu({ name, children }: RowMenuProps) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const hydrated = useHydrated();

  /** Below its button it covers nothing of what stands above the list, but may reach too far down. */
  function bringIntoView({ newState, currentTarget }: ToggleEvent<HTMLElement>) {
    if (newState === 'open') currentTarget.scrollIntoView({ block: 'nearest' });
  }

  function close(next?: () => void) {
    menu.current?.hidePopover();
    next?.();
  }

  return (
    <>
      <button
        className="button button-quiet button-small"
        disabled={!hydrated}
        popoverTarget={id}
        type="button"
      >
        <Icon className="size-5">
          <path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="3" />
        </Icon>
        <span className="sr-only">{say('Manage {name}', { name })}</span>
      </button>
      <div className="row-menu" id={id} onToggle={bringIntoView} popover="auto" ref={menu}>
        {/* It opens only then, and fifty rows weigh less before. */}
        {hydrated && children(close)}
      </div>
    </>
  );
}
