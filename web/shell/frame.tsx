import { LANGUAGES } from '../../contract/languages.ts';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { type Sentence, say, spoken } from '../languages/say.ts';
import type { PageContext } from '../page.ts';
import { icon, MenuIcon, MoonIcon, SunIcon, SystemIcon } from '../ui/icons.tsx';
import { Lock } from '../ui/spinner.tsx';
import { Raw } from './raw.tsx';

interface FrameProps {
  ctx: PageContext;
  /** The rendered way to the cart, or to a guest's purchases; empty where there is nothing in either. */
  beside: string;
  /** The rendered page, which the browser may take over. */
  page: string;
  /** Where the switch of languages leads back to; null for a page in English alone. */
  back: string | null;
  /** The rendered way to report what the page shows; null where there is never one. */
  report: string | null;
}

/** All that a frame says of a visit; the page within it aside, two that are described alike are alike. */
export function describeFrame(ctx: PageContext): string {
  const { config, path, language } = ctx;
  const links = linksOf(ctx);
  const { href = '', mark = '' } = findCurrent(links, path) ?? {};
  return [
    language,
    config.payments,
    config.tax,
    ...links.map((link) => link.href),
    href,
    mark,
  ].join(' ');
}

/** Header, page and footer. All but the page works without scripts, so browsers never load it. */
export function Frame({ back, beside, ctx, page, report }: FrameProps) {
  return (
    <div className="flex min-h-dvh flex-col" id="root">
      <a className="skip-link" href="#content">
        {say('Skip to content')}
      </a>
      <ModeBanner payments={ctx.config.payments} />
      <SiteHeader beside={beside} ctx={ctx} />
      <Raw as="main" className="flex-1" html={page} id="content" tabIndex={-1} />
      {report !== null && <Raw as="div" html={report} />}
      <SiteFooter back={back} ctx={ctx} />
    </div>
  );
}

/** For visitors, below what a link offers: browsers load nothing for it. */
export function ReportLink({ id }: { id: string }) {
  return (
    <aside aria-label={say('Report')} className="px-5 pb-4 text-center text-sm text-muted">
      <a
        className="text-link inline-flex min-h-11 items-center"
        href={`/p/${id}/report`}
        rel="nofollow"
      >
        {say('Report this link')}
      </a>
    </aside>
  );
}

const CartIcon = icon('M3 4h2.5l2 11h10.5l2-8H6.2M9.5 19.5h.01M16.5 19.5h.01');

interface NavigationLink {
  href: string;
  label: Sentence;
}

const GUEST_LINKS = [
  { href: '/explore', label: 'Explore' },
  { href: '/login', label: 'Login' },
] as const satisfies NavigationLink[];

const BUYER_LINKS = [
  { href: '/explore', label: 'Explore' },
  { href: '/purchases', label: 'Purchases' },
  { href: '/login', label: 'Login' },
] as const satisfies NavigationLink[];

/** Whoever sells alone has no balance. */
function linksOf({
  config,
  viewer,
  buyer,
}: Pick<PageContext, 'config' | 'viewer' | 'buyer'>): readonly NavigationLink[] {
  if (!viewer) return buyer ? BUYER_LINKS : GUEST_LINKS;
  const isPaidOut = viewer.sells && config.payouts.kind !== 'solo';
  return [
    { href: '/explore', label: 'Explore' },
    { href: '/dashboard', label: 'Dashboard' },
    ...(viewer.sells ? [{ href: '/upload', label: 'Upload' } as const] : []),
    ...(isPaidOut ? [{ href: '/dashboard/money', label: 'Money' } as const] : []),
    { href: '/purchases', label: 'Purchases' },
    { href: '/account', label: 'Account' },
    ...(viewer.operates ? [{ href: '/operator', label: 'Operator' } as const] : []),
  ];
}

/** The link to the page that is open, or to what it is a part of: the nearest comes last. */
function findCurrent(links: readonly NavigationLink[], path: string) {
  const link = links.findLast(({ href }) => path === href || path.startsWith(`${href}/`));
  return link && ({ href: link.href, mark: link.href === path ? 'page' : 'true' } as const);
}

function SiteHeader({ beside, ctx }: Pick<FrameProps, 'beside' | 'ctx'>) {
  const links = linksOf(ctx);
  const current = findCurrent(links, ctx.path);
  return (
    <header className="border-b border-line">
      <nav
        aria-label={say('Main')}
        className="site-bar"
        data-long={links.length > BUYER_LINKS.length || undefined}
      >
        <Brand config={ctx.config} />
        <button
          aria-label={say('Menu')}
          className="button button-secondary button-small order-1 roomy:hidden"
          popoverTarget="site-menu"
          type="button"
        >
          <MenuIcon className="size-5" />
        </button>
        <ul className="site-menu" id="site-menu" popover="auto">
          {links.map((link) => (
            <li key={link.href}>
              <a
                aria-current={current?.href === link.href ? current.mark : undefined}
                className="site-menu-link"
                href={link.href}
              >
                {say(link.label)}
              </a>
            </li>
          ))}
        </ul>
        {beside}
      </nav>
    </header>
  );
}

/** On every page while there is something in the cart; on a phone beside the menu. */
export function CartLink({ count, isCurrent }: { count: number; isCurrent: boolean }) {
  return (
    <a
      aria-current={isCurrent ? 'page' : undefined}
      className="site-cart site-menu-link"
      href="/cart"
    >
      <CartIcon className="size-5 sm:hidden" />
      <span className="max-sm:sr-only">{say('Cart')}</span> <b>{count}</b>
    </a>
  );
}

/** For guests who bought something, on a phone: what they come back for takes no press more. */
export function PurchasesLink({ isCurrent }: { isCurrent: boolean }) {
  return (
    <a
      aria-current={isCurrent ? 'page' : undefined}
      className="site-menu-link roomy:hidden"
      href="/purchases"
    >
      {say('Purchases')}
    </a>
  );
}

/** The year of the software, not of the clock: rendered pages are kept and compared. */
const YEAR = 2026;

function SiteFooter({ ctx, back }: Pick<FrameProps, 'ctx' | 'back'>) {
  return (
    <footer className="border-t border-line text-sm text-muted">
      <div className="mx-auto flex w-full max-w-6xl flex-wrap items-center justify-between px-5 py-4 sm:px-8">
        <p>
          © {YEAR} {ctx.config.siteName}
          {ctx.config.tax && `. ${say('Taxes are added at checkout.')}`}
        </p>
        <nav aria-label={say('Footer')} className="-mx-3 flex flex-wrap sm:ml-auto">
          <a className="text-link inline-flex min-h-11 items-center px-3" href="/purchases">
            {say('Find my purchase')}
          </a>
          <a className="text-link inline-flex min-h-11 items-center px-3" href="/terms">
            {say('Terms')}
          </a>
          <a className="text-link inline-flex min-h-11 items-center px-3" href="/privacy">
            {say('Privacy')}
          </a>
        </nav>
        {back !== null && <LanguageSwitch back={back} />}
        <ThemeSwitch />
      </div>
    </footer>
  );
}

function Brand({ config }: Pick<PageContext, 'config'>) {
  const name = config.siteName;
  return (
    <a className="brand inline-flex min-h-11 items-center gap-2 text-lg font-semibold" href="/">
      {config.logo ? (
        <img alt={name} className="site-logo" src={config.logo} />
      ) : (
        <>
          <Lock className="size-6 shrink-0" />
          {name}
        </>
      )}
    </a>
  );
}

const WORDS: Record<RuntimeConfig['payments'], Sentence | null> = {
  sandbox: 'Sandbox: no real money moves',
  'stripe-test': 'Test mode: no real money moves',
  'stripe-live': null,
};

/** Says on every page when payments are not real. */
function ModeBanner({ payments }: { payments: RuntimeConfig['payments'] }) {
  const words = WORDS[payments];
  if (!words) return null;
  return (
    <aside aria-label={say('Payment mode')} className="mode-banner">
      {say(words)}
    </aside>
  );
}

/** A plain form: each button is named in its own language. */
function LanguageSwitch({ back }: { back: string }) {
  const current = spoken()?.language ?? 'en';
  return (
    <form
      action="/language"
      aria-label={say('Language')}
      className="-mx-3 flex flex-wrap sm:ml-3"
      method="post"
    >
      <input name="back" type="hidden" value={back} />
      {Object.entries(LANGUAGES).map(
        ([language, name]) =>
          language !== current && (
            <button
              className="text-link inline-flex min-h-11 items-center px-3"
              key={language}
              lang={language}
              name="language"
              type="submit"
              value={language}
            >
              {name}
            </button>
          ),
      )}
    </form>
  );
}

const CHOICES = [
  { value: 'system', label: 'System', ChoiceIcon: SystemIcon },
  { value: 'light', label: 'Light', ChoiceIcon: SunIcon },
  { value: 'dark', label: 'Dark', ChoiceIcon: MoonIcon },
] as const;

/** Served by a script in the head. */
function ThemeSwitch() {
  return (
    <fieldset className="theme-switch noscript:hidden sm:ml-6">
      <legend className="sr-only">{say('Color theme')}</legend>
      {CHOICES.map(({ value, label, ChoiceIcon }) => (
        <label className="theme-choice" key={value} title={say(label)}>
          <input defaultChecked={value === 'system'} name="theme" type="radio" value={value} />
          <ChoiceIcon className="size-5" />
          <span className="sr-only">{say(label)}</span>
        </label>
      ))}
    </fieldset>
  );
}
