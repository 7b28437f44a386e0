import { useLive, useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useMemo } from 'react';
import { HeatSection, useHeat } from '../../lending/heat/heat-section.tsx';
import { LIVE_RESERVES, MOST_LIVE } from '../../lending/live-reserve.ts';
import { LoansPanel } from '../../lending/loans-panel.tsx';
import { absence } from '../../ui/absence.ts';
import { Address } from '../../ui/address.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PlaceHead } from '../../ui/place-head.tsx';
import { Empty } from '../../ui/states.tsx';
import { MarketMarks, marketName } from '../markets/market-columns.tsx';
import { ElevationGroups } from './elevation-groups.tsx';
import { MARKET } from './market-documents.ts';
import { MarketFacts, MarketHeadline } from './market-facts.tsx';
import { MarketHistory } from './market-history.tsx';
import { ReservesPanel } from './reserves-panel.tsx';
import { RiskPanel } from './risk-panel.tsx';
import '../../styles/lending.css';
import '../../lending/place.css';

/** By address, so that the page of another market does not begin with the numbers of this one. */
export default function MarketPage({ address }: { readonly address: string }): ReactNode {
  return <MarketView key={address} address={address} />;
}

function MarketView({ address }: { readonly address: string }): ReactNode {
  const variables = { address };
  const result = useSluiceQuery(MARKET, variables, { refetchMs: 30_000 });
  const market = result.data?.data.market ?? null;
  const errors = result.data?.errors ?? [];
  const addresses = useMemo(
    () => (market?.reserves ?? []).slice(0, MOST_LIVE).map((reserve) => reserve.address),
    [market?.reserves],
  );
  useLive(LIVE_RESERVES, { addresses }, { enabled: addresses.length > 0 });
  const heat = useHeat(market);
  const panel = { document: MARKET, variables, result };
  return (
    <div className="page">
      <PlaceHead
        path={[['Borrow', '/markets']]}
        here="Markets"
        name={market === null ? 'Market' : marketName(market)}
      >
        {market !== null && market.description !== '' && <span>{market.description}</span>}
        {market !== null && <MarketMarks market={market} />}
        <Address address={address} what="market" />
      </PlaceHead>
      <div className="overview">
        <div>
          <Panel title="Overview" {...panel}>
            {({ market: read }) =>
              read === null ? (
                <Empty>There is no market to show for this address.</Empty>
              ) : (
                <MarketHeadline
                  market={read}
                  whyUnknown={absence(
                    errors,
                    ['market', 'totals'],
                    'A reserve of this market that holds tokens has no price',
                  )}
                />
              )
            }
          </Panel>
          {market !== null && <MarketFacts heat={heat} closeFactor={market.closeFactor} />}
        </div>
        <div>{market !== null && <MarketHistory address={address} />}</div>
      </div>
      {market !== null && (
        <>
          <ReservesPanel market={market} variables={variables} result={result} />
          <HeatSection market={market} heat={heat} />
          <LoansPanel market={address} />
          <RiskPanel address={address} />
          <Panel title="Elevation groups" secondary {...panel}>
            {() =>
              market.elevationGroups.length === 0 ? (
                <Empty>
                  This market has no elevation groups: every loan is on the terms of its reserves.
                </Empty>
              ) : (
                <ElevationGroups groups={market.elevationGroups} errors={errors} />
              )
            }
          </Panel>
        </>
      )}
    </div>
  );
}
