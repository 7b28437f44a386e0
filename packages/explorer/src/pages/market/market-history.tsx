import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useMemo } from 'react';
import { formatUsd } from '../../lending/chart-formats.ts';
import { pixelsOf, secondsOf } from '../../lending/columns.ts';
import { historyNote } from '../../lending/history-note.ts';
import { Chart } from '../../ui/chart.tsx';
import { Panel } from '../../ui/panel.tsx';
import { lastOf, RangePicker, useRange } from '../../ui/range-picker.tsx';
import { Empty } from '../../ui/states.tsx';
import { MARKET_HISTORY, type MarketPoint } from './market-documents.ts';

/** Supply and debt of the market over time. */
export function MarketHistory({ address }: { readonly address: string }): ReactNode {
  const [range, setRange] = useRange('range', 'D30');
  const variables = { address, last: lastOf(range) };
  const result = useSluiceQuery(MARKET_HISTORY, variables, { refetchMs: 60_000 });
  return (
    <Panel
      title="Supplied and borrowed"
      document={MARKET_HISTORY}
      variables={variables}
      result={result}
      controls={<RangePicker value={range} onChange={setRange} label="Range of the market's history" />}
    >
      {({ market }) => {
        const history = market?.metricsHistory ?? null;
        return history === null ? (
          <Empty>There is no history to show.</Empty>
        ) : (
          <>
            <MarketChart points={history.points} />
            <p className="sub">{historyNote(history)}</p>
          </>
        );
      }}
    </Panel>
  );
}

function MarketChart({ points }: { readonly points: readonly MarketPoint[] }): ReactNode {
  const drawn = useMemo(
    () => ({
      xs: secondsOf(points),
      series: [
        {
          label: 'Supplied',
          color: '--series-1',
          values: pixelsOf(points, ({ suppliedUsd }) => suppliedUsd),
        },
        {
          label: 'Borrowed',
          color: '--series-2',
          dashed: true,
          values: pixelsOf(points, ({ borrowedUsd }) => borrowedUsd),
        },
      ],
    }),
    [points],
  );
  return (
    <Chart
      label="Supplied and borrowed in USD over time"
      format={formatUsd}
      fromZero
      height={220}
      {...drawn}
    />
  );
}
