import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { WalletButton } from '../act/wallet-button.tsx';
import { Search } from './search.tsx';
import { StatusStrip } from './status-strip.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

const PAGES = [
  ['/vaults', 'Vaults', /^\/(?:vaults|curators)/],
  ['/markets', 'Markets', /^\/(?:markets|reserves)/],
  ['/wallet', 'Wallet', /^\/wallet/],
] as const;

/** Frame of every page: navigation above, the state of the gateway below. */
export function Layout({ children }: { readonly children: ReactNode }): ReactNode {
  const [location] = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(location);
  useEffect(() => {
    if (shown.current === location) return;
    shown.current = location;
    // As after a page load: at the top, and read by screen readers from there.
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [location]);
  return (
    <>
      {/* Not a link: the fragment of the URL is the route. */}
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <header className="top">
        <Link href="/vaults" className="brand">
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M2 5c3-3 5 3 8 0s5 3 8 0M2 10c3-3 5 3 8 0s5 3 8 0M2 15c3-3 5 3 8 0s5 3 8 0" />
          </svg>
          <span>Sluice</span>
        </Link>
        <nav aria-label="Pages">
          {PAGES.map(([path, name, pattern]) => (
            <Link
              key={path}
              href={path}
              className={pattern.test(location) ? 'active' : ''}
              aria-current={pattern.test(location) ? 'page' : undefined}
            >
              {name}
            </Link>
          ))}
        </nav>
        <Search />
        <nav aria-label="APIs" className="apis">
          <a href="graphql">GraphiQL</a>
          <a href="docs">REST</a>
        </nav>
        <WalletButton />
        <ThemeToggle />
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
      <StatusStrip />
    </>
  );
}
