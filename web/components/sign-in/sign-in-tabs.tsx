const TABS = [
  { mode: 'sign-in', label: 'Sign in' },
  { mode: 'sign-up', label: 'Create account' },
] as const;

type Mode = (typeof TABS)[number]['mode'];

interface SignInTabsProps {
  shown: Mode;
  next: string | undefined;
  onChoose(mode: Mode, address: string): void;
}

/** Two addresses of the login page, changed without leaving it. */
export function SignInTabs({ shown, next, onChoose }: SignInTabsProps) {
  return (
    <nav aria-label="Account" className="tabs">
      {TABS.map(({ mode, label }) => {
        const address = `/login?${new URLSearchParams({ mode, ...(next && { next }) })}`;
        return (
          <a
            aria-current={mode === shown ? 'true' : undefined}
            className="tab"
            href={address}
            key={mode}
            onClick={(event) => {
              event.preventDefault();
              onChoose(mode, address);
            }}
          >
            {label}
          </a>
        );
      })}
    </nav>
  );
}
