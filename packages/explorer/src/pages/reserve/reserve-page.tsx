import { useLive, useSluiceQuery } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { ActPanel } from '../../act/act-panel.tsx';
import { MultiplyAct } from '../../act/tasks/multiply-act.tsx';
import { shortAddress } from '../../format/address.ts';
import { LIVE_RESERVES } from '../../lending/live-reserve.ts';
import { LoansPanel } from '../../lending/loans-panel.tsx';
import { Address } from '../../ui/address.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PlaceHead } from '../../ui/place-head.tsx';
import { Empty } from '../../ui/states.tsx';
import { RateChart } from './rate-chart.tsx';
import { ReserveCapacityPanel } from './reserve-capacity.tsx';
import { ReserveConfiguration } from './reserve-configuration.tsx';
import { RESERVE, RESERVE_USE } from './reserve-documents.ts';
import { ReserveFigures, ReserveHeadline } from './reserve-figures.tsx';
import { ReserveGroups } from './reserve-groups.tsx';
import { ReserveHistory } from './reserve-history.tsx';
import { ReserveLimits } from './reserve-limits.tsx';
import { ReservePrice } from './reserve-price.tsx';
import { ReserveQueuePanels } from './reserve-queue.tsx';
import { ReserveRewards } from './reserve-rewards.tsx';
import { ReserveVaults } from './reserve-vaults.tsx';
import '../../styles/lending.css';
import '../../lending/place.css';
import './reserve.css';

/** By address, so that the page of another reserve does not begin with the numbers of this one. */
export default function ReservePage({ address }: { readonly address: string }): ReactNode {
  return <ReserveView key={address} address={address} />;
}

function ReserveView({ address }: { readonly address: string }): ReactNode {
  const variables = { address };
  const result = useSluiceQuery(RESERVE, variables, { refetchMs: 30_000 });
  const errors = result.data?.errors ?? [];
  const reserve = result.data?.data.reserve ?? null;
  const chain = result.data?.data.chain;
  useLive(LIVE_RESERVES, { addresses: [address] }, { enabled: reserve !== null });
  const use = useSluiceQuery(RESERVE_USE, variables, { enabled: reserve !== null, refetchMs: 60_000 });
  const panel = { document: RESERVE, variables, result };
  const usePanel = { document: RESERVE_USE, variables, result: use };
  if (reserve === null || chain === undefined)
    return (
      <Page title="Reserve" aside={<Address address={address} what="reserve" />}>
        <Panel title="Overview" {...panel}>
          {() => <Empty>There is no reserve to show for this address.</Empty>}
        </Panel>
      </Page>
    );
  const { token, market, marketAddress } = reserve;
  return (
    <div className="page">
      <PlaceHead
        path={[
          ['Borrow', '/markets'],
          [market?.name || shortAddress(marketAddress), `/markets/${marketAddress}`],
        ]}
        name={`${token.symbol} reserve`}
        mark={token.symbol}
      >
        <span>
          {token.name} in {market?.name || shortAddress(marketAddress)}
        </span>
        <Address address={address} what="reserve" />
      </PlaceHead>
      <div className="overview">
        <div>
          <Panel title="Overview" {...panel}>
            {() => (
              <>
                <ReserveHeadline reserve={reserve} />
                <ReservePrice price={reserve.price} blockTime={chain.blockTime} />
                <ReserveFigures reserve={reserve} />
              </>
            )}
          </Panel>
        </div>
        <div>
          <Panel title="Rates by utilization" secondary {...panel}>
            {() => <RateChart reserve={reserve} slotDurationMs={chain.slotDurationMs} />}
          </Panel>
        </div>
      </div>
      <div className="with-aside">
        <div>
          <ReserveCapacityPanel address={address} />
          <Panel title="Limits" secondary {...panel}>
            {() => <ReserveLimits reserve={reserve} />}
          </Panel>
          <Panel title="Elevation groups" secondary {...panel}>
            {() => <ReserveGroups reserve={reserve} errors={errors} />}
          </Panel>
          <Panel title="Rewards" secondary {...usePanel}>
            {({ reserve: read }) =>
              read === null ? <Empty>There is nothing to show.</Empty> : <ReserveRewards use={read} />
            }
          </Panel>
        </div>
        <div>
          <ActPanel kind="lending" market={marketAddress} reserve={address} />
          <MultiplyAct market={marketAddress} reserve={address} symbol={token.symbol} />
          <Panel title="Terms" secondary {...panel}>
            {() => (
              <div className="terms">
                <ReserveConfiguration reserve={reserve} />
              </div>
            )}
          </Panel>
        </div>
      </div>
      <ReserveHistory address={address} />
      <ReserveQueuePanels address={address} />
      <Panel title="Vaults that lend here" {...usePanel}>
        {({ reserve: read }) =>
          read === null ? (
            <Empty>There is nothing to show.</Empty>
          ) : (
            <ReserveVaults use={read} symbol={token.symbol} />
          )
        }
      </Panel>
      <LoansPanel market={marketAddress} borrowReserve={address} />
    </div>
  );
}
