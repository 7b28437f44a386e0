import { backtestPoints, MOST_DAYS } from '../../services/history/backtest/request.ts';
import { askedSpanMs } from './series-points.ts';
import { LIST_SIZES } from './weights.ts';

const DAY_MS = 86_400_000;

/** The series of the vault and those of its reserves, in general. */
const OWN_SERIES = 1 + Number(LIST_SIZES['Vault.allocations']);

/** Recorded points that a backtest reads by its arguments; a range up to now counts as the longest one. */
export function backtestCost(coordinate: string, argument: (name: string) => unknown): number {
  if (coordinate !== 'Vault.backtest') return 0;
  const weights = argument('weights');
  const series = OWN_SERIES + (Array.isArray(weights) ? weights.length : 0);
  const longest = MOST_DAYS * DAY_MS;
  return series * backtestPoints(Math.min(askedSpanMs(argument) ?? longest, longest));
}
