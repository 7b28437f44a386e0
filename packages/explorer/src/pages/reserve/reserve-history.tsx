import { useSluiceQuery } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { historyNote } from '../../lending/history-note.ts';
import { Panel } from '../../ui/panel.tsx';
import { lastOf, RangePicker, useRange } from '../../ui/range-picker.tsx';
import { Empty } from '../../ui/states.tsx';
import { HistoryCharts } from './history-charts.tsx';
import { RESERVE_HISTORY } from './reserve-documents.ts';

/** The reserve over time. */
export function ReserveHistory({ address }: { readonly address: string }): ReactNode {
  const [range, setRange] = useRange('range', 'D30');
  const variables = { address, last: lastOf(range) };
  const result = useSluiceQuery(RESERVE_HISTORY, variables, { refetchMs: 60_000 });
  return (
    <Panel
      title="History"
      document={RESERVE_HISTORY}
      variables={variables}
      result={result}
      controls={<RangePicker value={range} onChange={setRange} label="Range of the history" />}
    >
      {({ reserve }) => {
        const history = reserve?.metricsHistory ?? null;
        return history === null ? (
          <Empty>There is no history to show.</Empty>
        ) : (
          <>
            <HistoryCharts points={history.points} />
            <p className="muted">{historyNote(history)} APYs are of interest, without rewards.</p>
          </>
        );
      }}
    </Panel>
  );
}
