import { lazy, type ReactNode, Suspense } from 'react';
import { Route, Router, Switch } from 'wouter';
import { useHashRoute } from './shell/hash-router.ts';
import { Layout } from './shell/layout.tsx';
import { OnlyAt } from './shell/wrong-address.tsx';
import { Page } from './ui/page.tsx';
import { Empty, Loading } from './ui/states.tsx';

const HomePage = lazy(() => import('./pages/home/home-page.tsx'));
const VaultsPage = lazy(() => import('./pages/vaults/vaults-page.tsx'));
const VaultPage = lazy(() => import('./pages/vault/vault-page.tsx'));
const CuratorsPage = lazy(() => import('./pages/curators/curators-page.tsx'));
const CuratorPage = lazy(() => import('./pages/curator/curator-page.tsx'));
const MarketsPage = lazy(() => import('./pages/markets/markets-page.tsx'));
const MarketPage = lazy(() => import('./pages/market/market-page.tsx'));
const ReservePage = lazy(() => import('./pages/reserve/reserve-page.tsx'));
const RiskPage = lazy(() => import('./pages/risk/risk-page.tsx'));
const StatusPage = lazy(() => import('./pages/status/status-page.tsx'));
const TransactionPage = lazy(() => import('./pages/transaction/transaction-page.tsx'));
const WalletPage = lazy(() => import('./pages/wallet/wallet-page.tsx'));

/** Routes live in the fragment of the URL: every path of the gateway belongs to an API. */
export function App(): ReactNode {
  return (
    <Router hook={useHashRoute}>
      <Layout>
        <Suspense fallback={<Loading what="the page" />}>
          <Switch>
            <Route path="/vaults" component={VaultsPage} />
            <Route path="/vaults/:address">
              {({ address }) => (
                <OnlyAt kind="vault" address={address}>
                  <VaultPage key={address} address={address} />
                </OnlyAt>
              )}
            </Route>
            <Route path="/curators" component={CuratorsPage} />
            <Route path="/curators/:address">
              {({ address }) => <CuratorPage key={address} address={address} />}
            </Route>
            <Route path="/markets" component={MarketsPage} />
            <Route path="/markets/:address">
              {({ address }) => (
                <OnlyAt kind="market" address={address}>
                  <MarketPage key={address} address={address} />
                </OnlyAt>
              )}
            </Route>
            <Route path="/reserves/:address">
              {({ address }) => (
                <OnlyAt kind="reserve" address={address}>
                  <ReservePage key={address} address={address} />
                </OnlyAt>
              )}
            </Route>
            <Route path="/risk" component={RiskPage} />
            <Route path="/wallet">
              <WalletPage />
            </Route>
            <Route path="/wallet/:address">
              {({ address }) => <WalletPage key={address} address={address} />}
            </Route>
            <Route path="/transactions/:signature">
              {({ signature }) => <TransactionPage key={signature} signature={signature} />}
            </Route>
            <Route path="/status" component={StatusPage} />
            <Route path="/" component={HomePage} />
            <Route>
              <Page title="Not found">
                <Empty>There is no such page.</Empty>
              </Page>
            </Route>
          </Switch>
        </Suspense>
      </Layout>
    </Router>
  );
}
