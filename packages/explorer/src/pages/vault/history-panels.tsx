import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useMemo } from 'react';
import { day } from '../../format/dates.ts';
import { formatPercent } from '../../lending/chart-formats.ts';
import { secondsOf } from '../../lending/columns.ts';
import { historyNote } from '../../lending/history-note.ts';
import { absence, isHistoryStarting } from '../../ui/absence.ts';
import { Chart } from '../../ui/chart.tsx';
import { Figure, Figures } from '../../ui/figures.tsx';
import { Panel } from '../../ui/panel.tsx';
import { lastOf, RangePicker, useRange } from '../../ui/range-picker.tsx';
import { Awaited, Empty } from '../../ui/states.tsx';
import { Percent } from '../../ui/value.tsx';
import { apySeries, realisedSeries } from './history-series.ts';
import { VAULT_HISTORY, type VaultDetail } from './vault-documents.ts';

/** The recorded past of the vault in the range of the page. All its charts share the answer. */
export function useVaultHistory(address: string) {
  const [range, setRange] = useRange('range', 'D90');
  const variables = { address, last: lastOf(range) };
  const result = useSluiceQuery(VAULT_HISTORY, variables, { refetchMs: 60_000 });
  return {
    range,
    setRange,
    panel: { document: VAULT_HISTORY, variables, result },
    errors: result.data?.errors ?? [],
  };
}

export type VaultHistoryState = ReturnType<typeof useVaultHistory>;

/** Stands for a chart without its points, and says whether they will come. */
export const NoHistory = ({ errors }: Pick<VaultHistoryState, 'errors'>): ReactNode =>
  isHistoryStarting(errors) ? <Awaited /> : <Empty>There is no history to draw.</Empty>;

/** What was promised, by source, and the interest that came true. */
export function YieldPanel({
  history: { range, setRange, panel, errors },
  apy,
}: {
  readonly history: VaultHistoryState;
  readonly apy: VaultDetail['currentApy'];
}): ReactNode {
  return (
    <Panel
      title="Yield, now and realised"
      {...panel}
      controls={<RangePicker value={range} onChange={setRange} label="Range of the vault's history" />}
    >
      {({ vault }) => {
        const history = vault?.metricsHistory ?? null;
        const realised = vault?.realisedInterestApy ?? null;
        const why = absence(
          errors,
          ['vault', 'realisedInterestApy'],
          'Nothing is recorded, or there are no shares',
        );
        return (
          <>
            <div className="thirds">
              <Figures>
                <Figure name="Now, in all">
                  <Percent value={apy?.total} absent="A reserve of this vault cannot be read" derived />
                </Figure>
                <Figure name="Now, interest">
                  <Percent value={apy?.base} absent="A reserve of this vault cannot be read" derived />
                </Figure>
                <Figure name="Realised, 30 d" hint="Interest after fees and without rewards, per year">
                  <Percent value={realised?.apy} absent={why} />
                </Figure>
              </Figures>
            </div>
            {history === null ? (
              <NoHistory errors={errors} />
            ) : (
              <>
                <YieldChart points={history.points} />
                <p className="sub">
                  Dashed: interest realised over the 30 days before, after fees. Rewards are what the farm and
                  campaigns pay.{' '}
                  {realised !== null && `Realised since ${day(new Date(realised.from), new Date())}. `}
                  {historyNote(history)}
                </p>
              </>
            )}
          </>
        );
      }}
    </Panel>
  );
}

type Points = Parameters<typeof apySeries>[0] & Parameters<typeof realisedSeries>[0];

function YieldChart({ points }: { readonly points: Points }): ReactNode {
  const xs = useMemo(() => secondsOf(points), [points]);
  const series = useMemo(() => {
    const realised = realisedSeries(points);
    return [...apySeries(points), ...(realised.values.some((value) => value !== null) ? [realised] : [])];
  }, [points]);
  return (
    <Chart label="APY by source over time" xs={xs} series={series} format={formatPercent} height={220} />
  );
}
