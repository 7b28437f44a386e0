import { Rational } from '@sluice/protocol/numeric/rational';
import { growthSteps } from '../../domain/risk/interest-ahead.ts';
import { MOST_DAYS } from '../../services/risk/scenario.ts';

/** Fields that take a scenario with days of interest. */
const FIELDS: ReadonlySet<string> = new Set(['Obligation.whatIf', 'Wallet.whatIf']);

/** The growth of deposits and of debts in the five reserves that an obligation uses at most, in general. */
const USUAL_GROWTHS = 10;

/** The steps of the interest that a scenario supposes, as far as its arguments tell; 0 without one. */
export function scenarioCost(coordinate: string, argument: (name: string) => unknown): number {
  if (!FIELDS.has(coordinate)) return 0;
  const days = argument('days');
  if (typeof days !== 'number' || days <= 0 || days > MOST_DAYS) return 0;
  const rates = argument('rates');
  const given = Array.isArray(rates) ? rates.flatMap(apysOf) : [];
  return given.reduce((sum, apy) => sum + growthSteps(days, apy), USUAL_GROWTHS);
}

const apysOf = (rate: unknown): Rational[] =>
  rate === null || typeof rate !== 'object'
    ? []
    : Object.values(rate).filter((value) => value instanceof Rational);
