import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { ensure } from '../anchor.ts';
import { customError } from '../instruction-error.ts';
import type { Clock } from '../program.ts';
import { LENDING } from './lending-errors.ts';
import type { ReserveState } from './reserve-state.ts';
import type { RolloverConfig } from './rollover-config.ts';

export type RolloverMode = 'FIXED_TO_FIXED' | 'FIXED_TO_OPEN' | 'OPEN_TO_FIXED';

/** The kind of a rollover, if the owner's terms allow it into this reserve. A maturity is no term. */
export function rolloverMode(
  config: RolloverConfig,
  { config: { debtTermSeconds: sourceTerm } }: ReserveState,
  { config: target }: ReserveState,
): RolloverMode {
  const isFixed = sourceTerm !== 0n;
  const isAllowed = isFixed ? config.autoRolloverEnabled : config.migrationToFixedEnabled;
  ensure(isAllowed !== 0, LENDING.obligationBorrowRolloverNotEnabledByOwner);
  const mismatch = LENDING.obligationBorrowRolloverTargetReserveMismatch;
  if (target.debtTermSeconds === 0n) {
    ensure(isFixed && config.openTermAllowed !== 0, mismatch);
    return 'FIXED_TO_OPEN';
  }
  const rates = target.borrowRateCurve.points.map(({ borrowRateBps }) => borrowRateBps);
  ensure(Math.max(...rates) <= config.maxBorrowRateBps, mismatch);
  ensure(config.minDebtTermSeconds !== 0n, mismatch);
  ensure(target.debtTermSeconds >= config.minDebtTermSeconds, mismatch);
  return isFixed ? 'FIXED_TO_FIXED' : 'OPEN_TO_FIXED';
}

const DAY_SECONDS = 86_400n;

/**
 * Refuses a rollover that the market has switched off, or that comes too early.
 *
 * @param termEnd of the debt, Unix seconds; null for none
 */
export function checkRolloverTime(
  market: LendingMarket,
  { unixTimestamp }: Clock,
  mode: RolloverMode,
  { fixedTermRolloverWindowDurationDays: days }: RolloverConfig,
  termEnd: bigint | null,
): void {
  if (mode === 'OPEN_TO_FIXED') {
    const isOn = market.obligationBorrowMigrationToFixedExecutionEnabled !== 0;
    ensure(isOn, LENDING.borrowRolloverExecutionDisabled);
    return;
  }
  const ofMarket =
    mode === 'FIXED_TO_FIXED'
      ? market.fixedTermRolloverWindowDurationSeconds
      : market.openTermRolloverWindowDurationSeconds;
  ensure(ofMarket !== 0n, LENDING.borrowRolloverExecutionDisabled);
  const window = mode === 'FIXED_TO_FIXED' && days !== 0 ? BigInt(days) * DAY_SECONDS : ofMarket;
  if (termEnd === null) throw customError(LENDING.obligationBorrowRolloverNotApplicable);
  const left = termEnd > unixTimestamp ? termEnd - unixTimestamp : 0n;
  ensure(window >= left, LENDING.obligationBorrowOutsideRolloverWindow);
}
