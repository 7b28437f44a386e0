import { Decimal } from '@sluice/client';
import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { RiskBadge } from '../ui/health.tsx';
import { PlaceMark } from '../ui/mark.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { Absent, UsdShort } from '../ui/value.tsx';
import { FALLS, fallsOf, riskOfMarket } from './market-falls.ts';
import { MARKETS_AT_RISK, type MarketAtRisk, type PricedMarket } from './market-risk-documents.ts';

const UNREAD = 'The loans of this market cannot be read';

const COLUMNS: readonly Column<MarketAtRisk>[] = [
  {
    key: 'market',
    name: 'Market',
    cell: ({ name, address, totals }) => (
      <span className="name">
        <PlaceMark name={name || address} size={36} />
        <span>
          {name || address}
          <span className="line2">
            <UsdShort value={totals?.borrowedUsd} absent="A reserve has no price" /> owed
          </span>
        </span>
      </span>
    ),
  },
  {
    key: 'now',
    name: 'Now',
    align: 'end',
    cell: ({ risk }) => <Liquidatable usd={risk?.now.atRisk.debtUsd} />,
  },
  ...FALLS.map(
    (fall, index): Column<MarketAtRisk> => ({
      key: fall,
      name: `At ${fall.replace('-', '\u2212')}%`,
      align: 'end',
      cell: ({ risk }) => <Liquidatable usd={risk?.shocks[index]?.atRisk.debtUsd} />,
    }),
  ),
  {
    key: 'risk',
    name: 'Risk',
    align: 'end',
    isKey: true,
    cell: (market) => {
      const risk = riskOfMarket(market);
      return risk === null ? <Absent why={UNREAD} /> : <RiskBadge risk={risk} />;
    },
  },
];

function Liquidatable({ usd }: { readonly usd: string | undefined }): ReactNode {
  if (usd === undefined) return <Absent why={UNREAD} />;
  return Decimal.of(usd).isZero ? 'None' : <UsdShort value={usd} />;
}

const marketHref = ({ address }: MarketAtRisk): string => `/markets/${address}`;

const ORDER = { danger: 0, caution: 1, safe: 2, unknown: 3 } as const;

export interface MarketsAtRiskProps {
  readonly markets: readonly PricedMarket[];
  /** Lists only the worst, with a link to the page that has all. */
  readonly most?: number;
  /** Where a market leads; to its page when left out. */
  readonly href?: (market: MarketAtRisk) => string;
}

/** Debt that could be liquidated now, and if every token but dollars fell. The worst markets first. */
export function MarketsAtRisk({ markets, most, href = marketHref }: MarketsAtRiskProps): ReactNode {
  const shocks = useMemo(() => fallsOf(markets), [markets]);
  const result = useSluiceQuery(MARKETS_AT_RISK, { shocks }, { refetchMs: 60_000 });
  const rows = useMemo(
    () =>
      [...(result.data?.data.markets.nodes ?? [])].sort(
        (a, b) => ORDER[riskOfMarket(a) ?? 'unknown'] - ORDER[riskOfMarket(b) ?? 'unknown'],
      ),
    [result.data],
  );
  return (
    <section className="panel" aria-labelledby="markets-at-risk">
      <header>
        <h2 id="markets-at-risk">Markets at risk</h2>
        {most !== undefined && <Link href="/risk">All {markets.length} markets</Link>}
      </header>
      <div className="content">
        <p className="sub">Debt that could be liquidated now, and if every token but dollars fell.</p>
        {result.data !== undefined ? (
          <>
            <DataTable
              label="Markets at risk"
              rows={rows.slice(0, most)}
              columns={COLUMNS}
              rowKey={({ address }) => address}
              href={href}
              empty="There are no markets."
            />
            <p className="sub">Danger: more than 5% of all debt at −30%. Caution: more than 0.01% now.</p>
          </>
        ) : result.error !== null ? (
          <Failure error={result.error} retry={() => void result.refetch()} />
        ) : (
          <Loading what="the loans of all markets" />
        )}
      </div>
    </section>
  );
}
