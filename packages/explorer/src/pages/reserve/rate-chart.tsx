import { type ReactNode, useMemo } from 'react';
import { formatPercent } from '../../lending/chart-formats.ts';
import { Chart } from '../../ui/chart.tsx';
import { Figure, Figures } from '../../ui/figures.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Percent } from '../../ui/value.tsx';
import { rateCurve } from './rate-curve.ts';
import type { ReserveDetail } from './reserve-documents.ts';

export interface RateChartProps {
  readonly reserve: ReserveDetail;
  readonly slotDurationMs: string;
}

/** Borrow and supply rate at any utilization, with today's rates on them. */
export function RateChart({ reserve, slotDurationMs }: RateChartProps): ReactNode {
  const { borrowCurve, fees, utilization, borrowApr, supplyApr, interestRateBasis } = reserve;
  const drawn = useMemo(() => {
    const curve = rateCurve(
      { borrowCurve, fees, utilization, borrowApr, supplyApr, interestRateBasis },
      slotDurationMs,
    );
    return {
      fixed: curve.fixed,
      xs: curve.utilizations,
      series: [
        { label: 'Borrow APR', color: '--series-1', values: curve.borrow },
        { label: 'Supply APR', color: '--series-2', values: curve.supply },
        { label: 'Borrow today', color: '--series-1', values: curve.borrowToday, points: true },
        { label: 'Supply today', color: '--series-2', values: curve.supplyToday, points: true },
      ],
    };
  }, [borrowCurve, fees, utilization, borrowApr, supplyApr, interestRateBasis, slotDurationMs]);
  if (borrowCurve.length === 0) return <Notice tone="caution">The reserve has no borrow curve.</Notice>;
  return (
    <>
      <Figures>
        <Figure name="Utilization today">
          <Percent value={utilization} />
        </Figure>
        <Figure name="Borrow APR today" hint="Interest per year, not compounded, without rewards">
          <Percent value={borrowApr} />
        </Figure>
        <Figure name="Supply APR today" hint="Interest per year, not compounded, without rewards">
          <Percent value={supplyApr} />
        </Figure>
      </Figures>
      <p className="muted">{reserve.interestRateBasisText}</p>
      {drawn.fixed && (
        <Notice tone="info">
          The reserve charges the first rate of its curve at any utilization, as it does for debts of a fixed
          term.
        </Notice>
      )}
      <Chart
        label="Borrow and supply rate by utilization, with today's rates"
        time={false}
        format={formatPercent}
        formatX={formatPercent}
        xs={drawn.xs}
        series={drawn.series}
        height={280}
      />
    </>
  );
}
