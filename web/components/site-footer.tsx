import { ThemeSwitch } from './theme-switch.tsx';

/** The year of the software, not of the clock: rendered pages are kept and compared. */
const YEAR = 2026;

export function SiteFooter() {
  return (
    <footer className="border-t border-line text-sm text-muted">
      <div className="mx-auto flex w-full max-w-6xl flex-wrap items-center justify-between gap-x-8 px-5 py-4 sm:px-8">
        <p>© {YEAR} Padlink</p>
        <nav aria-label="Legal" className="flex gap-x-6 sm:ml-auto">
          <a className="text-link inline-flex min-h-11 min-w-11 items-center" href="/terms">
            Terms
          </a>
          <a className="text-link inline-flex min-h-11 min-w-11 items-center" href="/privacy">
            Privacy
          </a>
        </nav>
        <ThemeSwitch />
      </div>
    </footer>
  );
}
