import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useMemo } from 'react';
import { formatUsd } from '../../lending/chart-formats.ts';
import { Chart } from '../../ui/chart.tsx';
import type { ChartSeries } from '../../ui/chart-props.ts';
import { Panel } from '../../ui/panel.tsx';
import { lastOf, RangePicker, useRange } from '../../ui/range-picker.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { alignedSeries, intervalOf, type TimeSeries, timeRangeOf } from './time-series.ts';
import { PROFIT_HISTORY, VALUE_HISTORY } from './wallet-documents.ts';
import { profitSeries, valueSeries } from './wallet-series.ts';

const REFETCH_MS = 60_000;

export interface WalletHistoryProps {
  readonly address: string;
  /** Number of loans, or vault positions, to add up. The cost of the query grows with it. */
  readonly count: number;
}

/** Value of vault positions and loans over time, and the interest of the positions. */
export function ValueHistoryPanel({ address, count }: WalletHistoryProps): ReactNode {
  const [range, setRange] = useRange('value-range', 'D30');
  const variables = { address, interval: intervalOf(range), last: lastOf(range), loans: atLeastOne(count) };
  const result = useSluiceQuery(VALUE_HISTORY, variables, { refetchMs: REFETCH_MS });
  const wallet = result.data?.data.wallet;
  const series = useMemo(() => wallet && valueSeries(wallet), [wallet]);
  return (
    <Panel
      title="Net value"
      document={VALUE_HISTORY}
      variables={variables}
      result={result}
      controls={<RangePicker value={range} onChange={setRange} label="Range of the net value" />}
    >
      {() =>
        series && (
          <Tabs
            label="Histories of value"
            tabs={[
              {
                key: 'value',
                name: 'Net value',
                content: () => (
                  <>
                    <p className="muted">
                      Vault positions and loans, without withdrawals that wait in a queue.
                    </p>
                    <Lines
                      complete={series.complete}
                      label="Net value in USD over time"
                      lines={[
                        ['Net value', series.netValue, '--series-1'],
                        ['Vault positions', series.vaults, '--series-2'],
                        ['Loans, net of debt', series.loans, '--series-3'],
                      ]}
                    />
                  </>
                ),
              },
              {
                key: 'interest',
                name: 'Interest of vaults',
                content: () => (
                  <Lines
                    complete={series.complete}
                    label="Interest of vault positions in USD since the first share"
                    lines={[['Interest', series.interest, '--series-2']]}
                  />
                ),
              },
            ]}
          />
        )
      }
    </Panel>
  );
}

/** Profit of the vault positions over time. */
export function ProfitHistoryPanel({ address, count }: WalletHistoryProps): ReactNode {
  const [range, setRange] = useRange('profit-range', 'D90');
  const variables = useMemo(
    () => ({ address, range: timeRangeOf(range, Date.now()), positions: atLeastOne(count) }),
    [address, range, count],
  );
  const result = useSluiceQuery(PROFIT_HISTORY, variables, { refetchMs: REFETCH_MS });
  const wallet = result.data?.data.wallet;
  const series = useMemo(() => wallet && profitSeries(wallet), [wallet]);
  return (
    <Panel
      title="Profit in vaults"
      document={PROFIT_HISTORY}
      variables={variables}
      result={result}
      controls={<RangePicker value={range} onChange={setRange} label="Range of the profit" />}
    >
      {() =>
        series && (
          <>
            <p className="muted">
              Value less cost, plus the profit from shares sold, valued at each UTC midnight.
            </p>
            <Lines
              complete={series.complete}
              label="Profit of vault positions in USD over time"
              lines={[['Profit', series.profit, '--series-1']]}
            />
          </>
        )
      }
    </Panel>
  );
}

/** A list of no items cannot be asked for. */
const atLeastOne = (count: number): number => Math.max(1, count);

interface LinesProps {
  /** Whether nothing of the range is missing. */
  readonly complete: boolean;
  readonly label: string;
  readonly lines: readonly (readonly [label: string, series: TimeSeries, color: string])[];
}

function Lines({ complete, label, lines }: LinesProps): ReactNode {
  const shown = lines.filter(([, series]) => series.length > 0);
  const { xs, columns } = alignedSeries(shown.map(([, series]) => series));
  const series = shown.map(
    ([name, , color], index): ChartSeries => ({
      label: name,
      color,
      values: columns[index] ?? [],
    }),
  );
  if (complete) return <Chart label={label} xs={xs} series={series} format={formatUsd} />;
  return (
    <>
      <Chart
        label={label}
        xs={xs}
        series={series}
        format={formatUsd}
        empty="Nothing of this range could be read."
      />
      {xs.length > 0 && (
        <p className="muted">
          Some of this range is missing: it was not recorded, or its transactions are still being read.
        </p>
      )}
    </>
  );
}
