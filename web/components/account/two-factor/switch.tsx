import { useEffect, useRef } from 'react';
import { useHydrated } from '../../../data/use-hydrated.ts';

interface SwitchProps {
  isOn: boolean;
  /** It comes back from a step that was pressed for. */
  takesFocus: boolean;
  onPressed(): void;
}

/** Whether two-factor sign-in is on, and the way to change that. */
export function Switch({ isOn, takesFocus, onPressed }: SwitchProps) {
  const hydrated = useHydrated();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) button.current?.focus();
  }, [takesFocus]);
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <p role="status">
        Two-factor sign-in is <strong>{isOn ? 'on' : 'off'}</strong>.
      </p>
      <button
        className="button button-secondary button-small"
        disabled={!hydrated}
        onClick={onPressed}
        ref={button}
        type="button"
      >
        {isOn ? 'Turn off' : 'Turn on'}
        <span className="sr-only"> two-factor sign-in</span>
      </button>
    </div>
  );
}
