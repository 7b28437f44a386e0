import { summedSeries, type TimeSeries } from './time-series.ts';
import type { ProfitHistory, ValueHistory } from './wallet-documents.ts';

export interface ValueSeries {
  /** Vault positions and loans, in USD. */
  readonly netValue: TimeSeries;
  readonly vaults: TimeSeries;
  readonly loans: TimeSeries;
  /** Interest of all vault positions since the first share. */
  readonly interest: TimeSeries;
  /** Whether nothing of the range is missing. */
  readonly complete: boolean;
}

/** A series that could not be read is empty. */
export function valueSeries({ metricsHistory, borrowing }: ValueHistory): ValueSeries {
  const points = metricsHistory?.points ?? [];
  const obligations = borrowing?.nodes ?? [];
  const vaults = points.map(({ timestamp, value }) => ({ timestamp, value: value.usd }));
  const loans = summedSeries(
    obligations.map(({ metricsHistory: history }) =>
      (history?.points ?? []).map(({ timestamp, stats }) => ({ timestamp, value: stats.netAccountValueUsd })),
    ),
  );
  return {
    netValue: summedSeries([vaults, loans]),
    vaults,
    loans,
    interest: points.map(({ timestamp, interest }) => ({ timestamp, value: interest.usd })),
    complete:
      metricsHistory?.complete === true &&
      borrowing !== null &&
      obligations.every(({ metricsHistory: history }) => history?.complete === true),
  };
}

export interface ProfitSeries {
  /** Profit of all vault positions, at each UTC midnight and now. */
  readonly profit: TimeSeries;
  readonly complete: boolean;
}

export function profitSeries({ earning }: ProfitHistory): ProfitSeries {
  const positions = earning?.nodes ?? [];
  return {
    profit: summedSeries(
      positions.map(({ pnlHistory }) =>
        (pnlHistory?.points ?? [])
          // Buys and sells have times of their own, at which the other positions are not valued.
          .filter(({ kind }) => kind === 'MARK_TO_MARKET')
          .map(({ timestamp, pnl }) => ({ timestamp, value: pnl.usd })),
      ),
    ),
    complete:
      earning !== null &&
      positions.every(({ pnlHistory }) => pnlHistory?.complete === true && pnlHistory.priced),
  };
}
