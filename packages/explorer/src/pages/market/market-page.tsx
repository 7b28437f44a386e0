import { useLive, useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useMemo } from 'react';
import { LIVE_RESERVES, MOST_LIVE } from '../../lending/live-reserve.ts';
import { LoansPanel } from '../../lending/loans-panel.tsx';
import { tvlUsd } from '../../lending/tvl.ts';
import { absence } from '../../ui/absence.ts';
import { Address } from '../../ui/address.tsx';
import { Figure, Figures } from '../../ui/figures.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { Count, Part, Usd } from '../../ui/value.tsx';
import { MarketMarks, marketName } from '../markets/market-columns.tsx';
import { ElevationGroups } from './elevation-groups.tsx';
import { MARKET, type Market } from './market-documents.ts';
import { MarketHistory } from './market-history.tsx';
import { ReservesTable } from './reserves-table.tsx';
import { RiskPanel } from './risk-panel.tsx';
import '../../styles/lending.css';

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
  const panel = { document: MARKET, variables, result };
  const name = market === null ? 'Market' : marketName(market);
  return (
    <Page
      title={name}
      aside={
        <>
          <Address address={address} what="market" />
          {market !== null && <MarketMarks market={market} />}
        </>
      }
      {...(market === null || market.description === '' ? {} : { lead: market.description })}
    >
      <Panel title="Overview" {...panel}>
        {({ market: read }) =>
          read === null ? (
            <Empty>There is no market to show for this address.</Empty>
          ) : (
            <MarketFigures
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
      {market !== null && (
        <>
          <Panel title="Reserves" secondary {...panel}>
            {() => <ReservesTable reserves={market.reserves} />}
          </Panel>
          <RiskPanel market={market} />
          <MarketHistory address={address} />
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
          <LoansPanel market={address} />
        </>
      )}
    </Page>
  );
}

function MarketFigures({
  market: { totals, closeFactor },
  whyUnknown,
}: {
  readonly market: Market;
  readonly whyUnknown: string;
}): ReactNode {
  return (
    <Figures>
      <Figure name="Supplied" hint="Total that belongs to suppliers, over all reserves">
        <Usd value={totals?.suppliedUsd} absent={whyUnknown} />
      </Figure>
      <Figure name="Borrowed" hint="Total borrowed with interest, over all reserves">
        <Usd value={totals?.borrowedUsd} absent={whyUnknown} />
      </Figure>
      <Figure name="TVL" hint="Supplied less borrowed">
        <Usd derived value={tvlUsd(totals)} absent={whyUnknown} />
      </Figure>
      <Figure name="Reserves">
        <Count value={totals?.reserves.toString()} absent={whyUnknown} />
      </Figure>
      <Figure name="Close factor" hint="Most of a debt that one liquidation may repay">
        <Part whole value={closeFactor} />
      </Figure>
    </Figures>
  );
}
