import { useHydrated } from '../../../data/use-hydrated.ts';

/** Whether two-factor sign-in is on, and the way to change that. */
export function Switch({ isOn, onPressed }: { isOn: boolean; onPressed(): void }) {
  const hydrated = useHydrated();
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <p role="status">
        Two-factor sign-in is <strong>{isOn ? 'on' : 'off'}</strong>.
      </p>
      <button
        className="button button-secondary button-small"
        disabled={!hydrated}
        onClick={onPressed}
        type="button"
      >
        {isOn ? 'Turn off' : 'Turn on'}
        <span className="sr-only"> two-factor sign-in</span>
      </button>
    </div>
  );
}
