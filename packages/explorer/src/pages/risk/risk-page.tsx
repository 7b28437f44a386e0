import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import { HeatSection, useHeat } from '../../lending/heat/heat-section.tsx';
import { MarketsAtRisk } from '../../lending/markets-at-risk.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { useUrlState } from '../../ui/url-state.ts';
import { marketName } from '../markets/market-columns.tsx';
import { RISK_MARKETS, type RiskMarket } from './risk-documents.ts';
import './risk.css';

/** All markets by what a fall of prices would do to them, and the heat map of one. */
export default function RiskPage(): ReactNode {
  const result = useSluiceQuery(RISK_MARKETS, {}, { refetchMs: 60_000 });
  const data = result.data?.data;
  const markets = useMemo(() => data?.markets.nodes ?? [], [data]);
  return (
    <Page
      title="Risk"
      lead="What could be liquidated in each market, now and if prices fall. A loan can be liquidated once its debt has reached the limit that its collateral allows."
    >
      {data !== undefined ? (
        markets.length === 0 ? (
          <Empty>The catalogue of this deployment has no markets.</Empty>
        ) : (
          <Markets markets={markets} />
        )
      ) : result.error !== null ? (
        <Failure error={result.error} retry={() => void result.refetch()} />
      ) : (
        <Loading what="the markets" />
      )}
    </Page>
  );
}

function Markets({ markets }: { readonly markets: readonly RiskMarket[] }): ReactNode {
  const [address, choose] = useUrlState('market', markets[0]?.address ?? '');
  const market = markets.find((each) => each.address === address) ?? markets[0];
  return (
    <>
      <MarketsAtRisk markets={markets} href={(row) => `/risk?market=${row.address}`} />
      {market !== undefined && (
        <>
          <header className="chosen-market">
            <h2>{marketName(market)}</h2>
            <label>
              Market{' '}
              <select value={market.address} onChange={({ target }) => choose(target.value)}>
                {markets.map((each) => (
                  <option key={each.address} value={each.address}>
                    {marketName(each)}
                  </option>
                ))}
              </select>
            </label>
            <Link href={`/markets/${market.address}`}>Open this market</Link>
          </header>
          <Heat key={market.address} market={market} />
        </>
      )}
    </>
  );
}

function Heat({ market }: { readonly market: RiskMarket }): ReactNode {
  const heat = useHeat(market);
  return <HeatSection market={market} heat={heat} />;
}
