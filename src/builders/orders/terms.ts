import type { ObligationOrder } from '@sluice/protocol/klend/obligation';
import { FRACTION_ONE, U64_MAX, U128_MAX, wholeScaled } from '@sluice/protocol/numeric/fraction';
import { integer, nearestQuotient, Rational } from '@sluice/protocol/numeric/rational';
import { activeBorrows } from '../../domain/obligation.ts';
import { inDigits, inPercent } from '../../domain/order-words.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { type AmountInput, toBaseUnits } from '../amount.ts';
import { NO_ORDER } from '../lending/changes.ts';
import { checkDecimals } from '../read-accounts.ts';
import type { OrderAccounts } from './accounts.ts';
import { cannotTrigger } from './refusals.ts';
import { WATCHED_CONDITIONS, type WantedOrder, type WatchedCondition } from './request.ts';

/** The program's numbers of the two actions. */
const REPAY_AMOUNT = 0;
const REPAY_ALL = 1;

/**
 * The order as the program stores it.
 *
 * @throws ORDER_CANNOT_TRIGGER for a threshold out of range, or an amount without the one debt that it is of
 */
export function encodedOrder(accounts: OrderAccounts, wanted: WantedOrder): ObligationOrder {
  checkThreshold(wanted.condition, wanted.threshold);
  const units = debtUnits(accounts, wanted.amount);
  return {
    ...NO_ORDER,
    conditionThresholdSf: nearestScaled(wanted.threshold),
    opportunityParameterSf: units === 'all' ? U128_MAX : wholeScaled(units),
    minExecutionBonusBps: wanted.minBonusBps,
    maxExecutionBonusBps: wanted.maxBonusBps,
    conditionType: WATCHED_CONDITIONS[wanted.condition],
    opportunityType: units === 'all' ? REPAY_ALL : REPAY_AMOUNT,
  };
}

/** The program's limits are decimals rounded to the nearest fraction, and so are thresholds. */
const nearestScaled = ({ n, d }: Rational) => nearestQuotient(n * FRACTION_ONE, d);

const LEAST_LTV = Rational.of(1n, 100n);
const LEAST_RATIO = Rational.of(1n, 10n ** 15n);
const LARGEST_RATIO = Rational.of(10n ** 15n);

function checkThreshold(condition: WatchedCondition, threshold: Rational): void {
  const scaled = nearestScaled(threshold);
  if (condition === 'PRICE_RATIO_ABOVE' || condition === 'PRICE_RATIO_BELOW') {
    if (scaled >= nearestScaled(LEAST_RATIO) && scaled <= nearestScaled(LARGEST_RATIO)) return;
    const range = `${inDigits(LEAST_RATIO)} to ${inDigits(LARGEST_RATIO)}`;
    throw cannotTrigger(
      `the program accepts ratios of prices from ${range}, not ${inDigits(threshold)} (6124 InvalidOrderConfiguration)`,
    );
  }
  if (scaled >= nearestScaled(LEAST_LTV) && scaled < FRACTION_ONE) return;
  const what = condition === 'LIQUIDATION_LTV_CLOSER_THAN' ? 'distances to liquidation' : 'loan-to-values';
  throw cannotTrigger(
    `the program accepts ${what} from 0.01 (1%) to below 1 (100%), not ${inDigits(threshold)} (${inPercent(threshold)}) (6124 InvalidOrderConfiguration)`,
  );
}

/** Base units of the only debt. */
function debtUnits({ obligation, reserves }: OrderAccounts, amount: AmountInput): bigint | 'all' {
  const [debt, ...others] = activeBorrows(obligation);
  if (isAll(amount)) return 'all';
  if (debt === undefined) throw cannotTrigger('there is no debt to repay');
  if (others.length > 0) {
    throw cannotTrigger(
      `an amount is repaid of the only debt of an obligation, and this one has ${others.length + 1}; repay all instead (6125 OrderConfigurationNotSupportedByObligation)`,
    );
  }
  const reserve = reserves.get(debt.borrowReserve);
  if (reserve === undefined)
    throw new SluiceError('KLEND_RESERVE_NOT_FOUND', { reserve: debt.borrowReserve });
  const { mintDecimals } = reserve.liquidity;
  checkDecimals('Reserve', debt.borrowReserve, mintDecimals);
  return toBaseUnits(amount, { decimals: Number(mintDecimals), maxMeansAll: true });
}

/** Whether an amount means everything whatever the token: "all", or 2^64 - 1 in either unit. */
function isAll(amount: AmountInput): boolean {
  if ('all' in amount) return true;
  return 'baseUnits' in amount ? amount.baseUnits === U64_MAX : amount.tokens.equals(integer(U64_MAX));
}
