import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import type { PageContext } from '../page.ts';
import { MenuIcon, MoonIcon, SunIcon, SystemIcon } from '../ui/icons.tsx';
import { Lock } from '../ui/spinner.tsx';
import { Raw } from './raw.tsx';

interface FrameProps {
  ctx: PageContext;
  /** The rendered page, which the browser may take over. */
  page: string;
  /** The rendered way to report what the page shows; null where there is never one. */
  report: string | null;
}

/** All that a frame says of a visit; the page within it aside, two that are described alike are alike. */
export function describeFrame({ config, viewer, path }: PageContext): string {
  const links = linksOf({ config, viewer });
  const current = links.some(({ href }) => href === path) ? path : '';
  return [config.payments, config.tax, ...links.map(({ href }) => href), current].join(' ');
}

/** Header, page and footer. All but the page works without scripts, so browsers never load it. */
export function Frame({ ctx, page, report }: FrameProps) {
  return (
    <div className="flex min-h-dvh flex-col" id="root">
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <ModeBanner payments={ctx.config.payments} />
      <SiteHeader ctx={ctx} />
      <Raw as="main" className="flex-1" html={page} id="content" tabIndex={-1} />
      {report !== null && <Raw as="div" html={report} />}
      <SiteFooter ctx={ctx} />
    </div>
  );
}

/** For visitors, below what a link offers: browsers load nothing for it. */
export function ReportLink({ id }: { id: string }) {
  return (
    <aside aria-label="Report" className="px-5 pb-4 text-center text-sm text-muted">
      <a
        className="text-link inline-flex min-h-11 items-center"
        href={`/p/${id}/report`}
        rel="nofollow"
      >
        Report this link
      </a>
    </aside>
  );
}

const GUEST_LINKS = [
  { href: '/explore', label: 'Explore' },
  { href: '/login', label: 'Login' },
];

/** Whoever sells alone has no balance. */
function linksOf({ config, viewer }: Pick<PageContext, 'config' | 'viewer'>) {
  if (!viewer) return GUEST_LINKS;
  const isPaidOut = viewer.sells && config.payouts.kind !== 'solo';
  return [
    { href: '/explore', label: 'Explore' },
    { href: '/dashboard', label: 'Dashboard' },
    ...(viewer.sells ? [{ href: '/upload', label: 'Upload' }] : []),
    ...(isPaidOut ? [{ href: '/dashboard/money', label: 'Money' }] : []),
    { href: '/account', label: 'Account' },
  ];
}

function SiteHeader({ ctx }: { ctx: PageContext }) {
  const links = linksOf(ctx);
  return (
    <header className="border-b border-line">
      <nav
        aria-label="Main"
        className="mx-auto flex w-full max-w-6xl items-center justify-between px-5 py-2.5 sm:px-8 sm:py-0"
      >
        <Brand />
        <button
          aria-label="Menu"
          className="button button-secondary button-small sm:hidden"
          popoverTarget="site-menu"
          type="button"
        >
          <MenuIcon className="size-5" />
        </button>
        <ul className="site-menu" id="site-menu" popover="auto">
          {links.map((link) => (
            <li key={link.href}>
              <a
                aria-current={ctx.path === link.href ? 'page' : undefined}
                className="site-menu-link"
                href={link.href}
              >
                {link.label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}

/** The year of the software, not of the clock: rendered pages are kept and compared. */
const YEAR = 2026;

function SiteFooter({ ctx }: { ctx: PageContext }) {
  return (
    <footer className="border-t border-line text-sm text-muted">
      <div className="mx-auto flex w-full max-w-6xl flex-wrap items-center justify-between gap-x-8 px-5 py-4 sm:px-8">
        <p>
          © {YEAR} Padlink{ctx.config.tax && '. Taxes are added to prices at the checkout.'}
        </p>
        <nav aria-label="Footer" className="flex flex-wrap gap-x-6 sm:ml-auto">
          <a className="text-link inline-flex min-h-11 items-center" href="/purchases">
            Find my purchase
          </a>
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

function Brand() {
  return (
    <a className="brand inline-flex min-h-11 items-center gap-2 text-lg font-semibold" href="/">
      <Lock className="size-6" />
      Padlink
    </a>
  );
}

const WORDS: Record<RuntimeConfig['payments'], string | null> = {
  sandbox: 'Sandbox: no real money moves',
  'stripe-test': 'Test mode: no real money moves',
  'stripe-live': null,
};

/** Says on every page when payments are not real. */
function ModeBanner({ payments }: { payments: RuntimeConfig['payments'] }) {
  const words = WORDS[payments];
  if (!words) return null;
  return (
    <aside aria-label="Payment mode" className="mode-banner">
      {words}
    </aside>
  );
}

const CHOICES = [
  { value: 'system', label: 'System', ChoiceIcon: SystemIcon },
  { value: 'light', label: 'Light', ChoiceIcon: SunIcon },
  { value: 'dark', label: 'Dark', ChoiceIcon: MoonIcon },
];

/** Served by a script in the head. */
function ThemeSwitch() {
  return (
    <fieldset className="theme-switch">
      <legend className="sr-only">Color theme</legend>
      {CHOICES.map(({ value, label, ChoiceIcon }) => (
        <label className="theme-choice" key={value} title={label}>
          <input defaultChecked={value === 'system'} name="theme" type="radio" value={value} />
          <ChoiceIcon className="size-5" />
          <span className="sr-only">{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
