import type { PageContext } from '../page.ts';
import { Brand } from './brand.tsx';
import { MenuIcon } from './icons.tsx';

const GUEST_LINKS = [
  { href: '/explore', label: 'Explore' },
  { href: '/login', label: 'Login' },
];

const CREATOR_LINKS = [
  { href: '/explore', label: 'Explore' },
  { href: '/dashboard', label: 'Dashboard' },
  { href: '/upload', label: 'Upload' },
];

export function SiteHeader({ ctx }: { ctx: PageContext }) {
  const links = ctx.viewer ? CREATOR_LINKS : GUEST_LINKS;
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
