import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useMemo, useState } from 'react';
import { day } from '../../format/dates.ts';
import { formatPercent, formatPrice, formatTokens, formatUsd } from '../../lending/chart-formats.ts';
import { secondsOf } from '../../lending/columns.ts';
import { historyNote } from '../../lending/history-note.ts';
import { absence } from '../../ui/absence.ts';
import { Chart } from '../../ui/chart.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { lastOf, RangePicker, useRange } from '../../ui/range-picker.tsx';
import { Empty } from '../../ui/states.tsx';
import { Percent } from '../../ui/value.tsx';
import { apySeries, type HistoryUnit, isKnown, sharePriceSeries, valueSeries } from './history-series.ts';
import { VAULT_HISTORY, type VaultPoint } from './vault-documents.ts';

/** Value, share price and yield by source over time. */
export function VaultHistory({ address }: { readonly address: string }): ReactNode {
  const [range, setRange] = useRange('range', 'D30');
  const [unit, setUnit] = useState<HistoryUnit>('usd');
  const variables = { address, last: lastOf(range) };
  const result = useSluiceQuery(VAULT_HISTORY, variables, { refetchMs: 60_000 });
  const symbol = result.data?.data.vault?.token.symbol ?? 'Token';
  const errors = result.data?.errors ?? [];
  return (
    <Panel
      title="Vault history"
      document={VAULT_HISTORY}
      variables={variables}
      result={result}
      controls={
        <>
          <RangePicker value={range} onChange={setRange} label="Range of the vault's history" />
          <Choice
            label="Unit of value and share price"
            options={[
              ['usd', 'USD'],
              ['token', symbol],
            ]}
            value={unit}
            onChange={setUnit}
          />
        </>
      }
    >
      {({ vault }) => {
        const history = vault?.metricsHistory ?? null;
        if (history === null) return <Empty>There is no history to draw.</Empty>;
        const realised = vault?.realisedInterestApy ?? null;
        return (
          <>
            <VaultCharts points={history.points} unit={unit} symbol={symbol} />
            <p className="muted">
              {historyNote(history)} Interest of the last 30 days, after fees and without rewards:{' '}
              <Percent
                value={realised?.apy}
                absent={absence(
                  errors,
                  ['vault', 'realisedInterestApy'],
                  'Nothing is recorded, or there are no shares',
                )}
              />{' '}
              per year
              {realised !== null && `, measured since ${day(new Date(realised.from), new Date())}`}.
            </p>
          </>
        );
      }}
    </Panel>
  );
}

interface ChartsProps {
  readonly points: readonly VaultPoint[];
  readonly unit: HistoryUnit;
  readonly symbol: string;
}

function VaultCharts({ points, unit, symbol }: ChartsProps): ReactNode {
  const xs = useMemo(() => secondsOf(points), [points]);
  const value = useMemo(() => valueSeries(points, unit), [points, unit]);
  const share = useMemo(() => sharePriceSeries(points, unit), [points, unit]);
  const apy = useMemo(() => apySeries(points), [points]);
  const [name, unknown] =
    unit === 'usd'
      ? ['USD', 'The token had no price in this range. Choose the token as the unit.']
      : [symbol, 'Imported history has no amounts in tokens.'];
  // A chart with positions but without a value has nothing to draw.
  const shown = (series: typeof value | typeof share) =>
    isKnown(series) ? { xs, series } : { xs: [], series };
  return (
    <div className="charts">
      <section>
        <h3>Value in {name}</h3>
        <Chart
          label={`Value of the vault in ${name} over time`}
          {...shown(value)}
          format={unit === 'usd' ? formatUsd : formatTokens}
          height={200}
          empty={xs.length === 0 ? undefined : unknown}
        />
      </section>
      <section>
        <h3>Share price in {name}</h3>
        <Chart
          label={`Price of a share in ${name} over time`}
          {...shown(share)}
          format={unit === 'usd' ? formatPrice : formatShare}
          height={200}
          empty={xs.length === 0 ? undefined : unknown}
        />
      </section>
      <section className="wide">
        <h3>APY by source</h3>
        <Chart label="APY by source over time" xs={xs} series={apy} format={formatPercent} height={240} />
      </section>
    </div>
  );
}

const share = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 7 });
/** A share grows slowly: its last digits tell the story. */
const formatShare = (value: number): string => share.format(value);
