import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { WalletButton } from '../act/wallet-button.tsx';
import { CURRENCIES, chooseCurrency, useCurrency } from '../ui/currency.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Footer } from './footer.tsx';
import { HistoryBar } from './history-bar.tsx';
import { Search } from './search.tsx';
import { StatusProvider, useGateway } from './status.ts';
import { Strip } from './strip.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

interface Section {
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  /** Paths of its pages. */
  readonly pages: RegExp;
}

const SECTIONS: readonly Section[] = [
  { path: '/', name: 'Home', icon: 'home', pages: /^\/$/ },
  { path: '/vaults', name: 'Earn', icon: 'earn', pages: /^\/(?:vaults|curators)/ },
  { path: '/markets', name: 'Borrow', icon: 'borrow', pages: /^\/(?:markets|reserves)/ },
  { path: '/risk', name: 'Risk', icon: 'risk', pages: /^\/risk/ },
  { path: '/wallet', name: 'Wallet', icon: 'wallet', pages: /^\/wallet/ },
];

/** Frame of every page: search and sections above, the state of the gateway below. */
export function Layout({ children }: { readonly children: ReactNode }): ReactNode {
  const [location] = useLocation();
  const gateway = useGateway();
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
    <StatusProvider value={gateway}>
      {/* Not a link: the fragment of the URL is the route. */}
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <div className={gateway.connection.tone === 'broken' ? 'frame is-stale' : 'frame'}>
        <Strip />
        <header className="top">
          <div className="top-in">
            <Link href="/" className="brand">
              <svg viewBox="0 0 26 26" aria-hidden="true">
                <path d="M3 7.500c3.300-3 6.700 3 10 0s6.700-3 10 0M3 13.500c3.300-3 6.700 3 10 0s6.700-3 10 0M3 19.500c3.300-3 6.700 3 10 0s6.700-3 10 0" />
              </svg>
              <span>Sluice</span>
            </Link>
            <Sections className="sections" label="Main" location={location} />
            <Search />
            <div className="tools">
              <CurrencyChoice />
              <WalletButton />
              <ThemeToggle />
            </div>
          </div>
        </header>
        <main id="main" ref={main} tabIndex={-1}>
          <HistoryBar />
          {children}
        </main>
        <Footer />
        <Sections className="tabs-bottom" label="Sections" location={location} hasIcons />
      </div>
    </StatusProvider>
  );
}

interface SectionsProps {
  readonly className: string;
  readonly label: string;
  readonly location: string;
  readonly hasIcons?: boolean;
}

function Sections({ className, label, location, hasIcons = false }: SectionsProps): ReactNode {
  return (
    <nav className={className} aria-label={label}>
      {SECTIONS.map(({ path, name, icon, pages }) => (
        <Link key={path} href={path} aria-current={pages.test(location) ? 'page' : undefined}>
          {hasIcons && <Icon name={icon} />}
          {name}
        </Link>
      ))}
    </nav>
  );
}

function CurrencyChoice(): ReactNode {
  const currency = useCurrency();
  return (
    <select
      className="tool currency"
      aria-label="Show values in"
      value={currency}
      onChange={({ target }) => {
        const next = CURRENCIES.find(([key]) => key === target.value);
        if (next !== undefined) chooseCurrency(next[0]);
      }}
    >
      {CURRENCIES.map(([key, name]) => (
        <option key={key} value={key}>
          {name}
        </option>
      ))}
    </select>
  );
}
