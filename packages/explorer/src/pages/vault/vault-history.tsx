import { type ReactNode, useMemo } from 'react';
import { formatPrice, formatTokens, formatUsd } from '../../lending/chart-formats.ts';
import { secondsOf } from '../../lending/columns.ts';
import { Chart } from '../../ui/chart.tsx';
import { Choice } from '../../ui/choice.tsx';
import { useUrlChoice } from '../../ui/url-state.ts';
import { NoHistory, type VaultHistoryState } from './history-panels.tsx';
import { type HistoryUnit, isKnown, sharePriceSeries, valueSeries } from './history-series.ts';

/** Value and price of a share over time, in the range of the page. */
export function VaultHistory({
  history: { panel, errors },
  symbol,
}: {
  readonly history: VaultHistoryState;
  readonly symbol: string;
}): ReactNode {
  const [unit, setUnit] = useUrlChoice<HistoryUnit>('unit', ['usd', 'token'], 'usd');
  const points = panel.result.data?.data.vault?.metricsHistory?.points ?? null;
  const xs = useMemo(() => secondsOf(points ?? []), [points]);
  const value = useMemo(() => valueSeries(points ?? [], unit), [points, unit]);
  const share = useMemo(() => sharePriceSeries(points ?? [], unit), [points, unit]);
  if (points === null) return <NoHistory errors={errors} />;
  const [name, unknown] =
    unit === 'usd'
      ? ['USD', 'The token had no price in this range. Choose the token as the unit.']
      : [symbol, 'Imported history has no amounts in tokens.'];
  // A chart with positions but without a value has nothing to draw.
  const shown = (series: typeof value | typeof share) =>
    isKnown(series) ? { xs, series } : { xs: [], series };
  return (
    <>
      <Choice
        label="Unit of value and share price"
        options={[
          ['usd', 'USD'],
          ['token', symbol],
        ]}
        value={unit}
        onChange={setUnit}
      />
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
      </div>
    </>
  );
}

const digits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 7 });
/** A share grows slowly: its last digits tell the story. */
const formatShare = (value: number): string => digits.format(value);
