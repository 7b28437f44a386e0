import { placePoint } from '@sluice/protocol/numeric/decimal';
import { bpsInWords, durationInWords } from '../../domain/borrow-order-words.ts';
import { highestBorrowRateBps } from '../../domain/borrow-orders.ts';
import { safeDate } from '../../domain/dates.ts';
import { debtEnds } from '../../domain/debt-end.ts';
import { debtTermEnd, fixedTermRolloverWindow, openTermRolloverWindow } from '../../domain/debt-terms.ts';
import type { Moment } from '../../domain/moment.ts';
import { activeBorrows } from '../../domain/obligation.ts';
import type { RolloverObstacle } from '../../domain/rollover.ts';
import { allowsRollover } from '../../domain/rollover-terms.ts';
import { ROLLOVER_OBSTACLE_WORDS } from '../../domain/rollover-words.ts';
import { healthAfter, priceWarnings } from '../lending/warnings.ts';
import { lendingError } from '../program-errors.ts';
import { type BuildWarning, type WarningCode, warning } from '../warnings.ts';
import { isSameReserve, type RollOverAccounts } from './roll-over-accounts.ts';
import type { RollOverOutcome } from './roll-over-outcome.ts';

/** Warnings for a rollover. */
export function rollOverWarnings(
  accounts: RollOverAccounts,
  outcome: RollOverOutcome,
  moment: Moment,
): BuildWarning[] {
  const { target } = accounts;
  const { obstacle } = outcome.rollover;
  const isKnown = outcome.before.stats !== null && outcome.after.stats !== null;
  return [
    ...(obstacle === null ? [] : [rolloverRefusal(accounts, obstacle)]),
    // A refusal names what the program does not accept; the others say which price it is.
    ...priceWarnings(target, isKnown, true, moment).filter(
      ({ level }) => obstacle !== null || level !== 'ERROR',
    ),
    ...inPart(accounts, outcome),
    ...rateRises(accounts),
    ...endsEarlier(accounts, outcome),
    ...settingsCleared(accounts, outcome),
    ...healthAfter(outcome),
  ];
}

/** The program's errors for the reasons of a refusal. */
const ERRORS: Readonly<Record<RolloverObstacle, string>> = {
  MARKET_EMERGENCY: 'GlobalEmergencyMode',
  RESERVE_OBSOLETE: 'ReserveObsolete',
  RESERVE_DEPRECATED: 'ReserveDeprecated',
  RESERVE_EMERGENCY: 'ReserveEmergencyMode',
  IN_ELEVATION_GROUP: 'RolloverNotSupportedInElevationGroup',
  BORROWING_DISABLED: 'BorrowingDisabled',
  TARGET_PRICE_REFUSED: 'ReserveStale',
  TARGET_MATURED: 'ReserveDebtMaturityReached',
  DELEVERAGING: 'ObligationCurrentlyMarkedForDeleveraging',
  POSITION_OBSOLETE: 'ObligationInObsoleteReserve',
  POSITION_PRICE_REFUSED: 'ObligationStale',
  NO_COLLATERAL: 'ObligationDepositsEmpty',
  COLLATERAL_WITHOUT_VALUE: 'ObligationDepositsZero',
  GROUP_ONLY_COLLATERAL: 'BorrowingDisabledOutsideElevationGroup',
  OTHER_BORROW_FACTOR: 'ObligationBorrowRolloverTargetReserveMismatch',
  NOT_ALLOWED_BY_OWNER: 'ObligationBorrowRolloverNotEnabledByOwner',
  OPEN_TERM_NOT_ALLOWED: 'ObligationBorrowRolloverTargetReserveMismatch',
  RATE_TOO_HIGH: 'ObligationBorrowRolloverTargetReserveMismatch',
  FIXED_TERM_NOT_ALLOWED: 'ObligationBorrowRolloverTargetReserveMismatch',
  TERM_TOO_SHORT: 'ObligationBorrowRolloverTargetReserveMismatch',
  SWITCHED_OFF: 'BorrowRolloverExecutionDisabled',
  NO_TERM_END: 'ObligationBorrowRolloverNotApplicable',
  TOO_EARLY: 'ObligationBorrowOutsideRolloverWindow',
  OTHER_SETTINGS: 'ObligationBorrowRolloverConfigMismatch',
  ENDS_NO_LATER: 'ObligationBorrowRolloverMustProlongDebtTerm',
  NO_LIQUIDITY: 'InsufficientLiquidity',
  BORROW_LIMIT: 'BorrowLimitExceeded',
  LIMIT_OUTSIDE_GROUPS: 'ElevationGroupBorrowLimitExceeded',
  UTILIZATION_LIMIT: 'BorrowingAboveUtilizationRateDisabled',
  OUTFLOW_CAP: 'WithdrawalCapReached',
  PART_TOO_SMALL: 'PartialRolloverValueTooSmall',
  COLLATERAL_TOO_LOW: 'BorrowTooLarge',
  NO_FREE_SLOT: 'ObligationReserveLimit',
  ORDERS: 'OperationNotPermittedWithCurrentObligationOrders',
};

/** The reasons that other actions have, too. */
const CODES: Readonly<Partial<Record<RolloverObstacle, WarningCode>>> = {
  TARGET_PRICE_REFUSED: 'PRICE_REFUSED',
  POSITION_PRICE_REFUSED: 'PRICE_REFUSED',
  NO_LIQUIDITY: 'LIQUIDITY_TOO_LOW',
  BORROW_LIMIT: 'BORROW_LIMIT_EXCEEDED',
  LIMIT_OUTSIDE_GROUPS: 'BORROW_LIMIT_EXCEEDED',
  UTILIZATION_LIMIT: 'UTILIZATION_BLOCK',
  OUTFLOW_CAP: 'OUTFLOW_CAP_EXCEEDED',
  PART_TOO_SMALL: 'AMOUNT_BELOW_MINIMUM',
  COLLATERAL_TOO_LOW: 'COLLATERAL_TOO_LOW',
  NO_FREE_SLOT: 'OBLIGATION_FULL',
};

function rolloverRefusal(accounts: RollOverAccounts, obstacle: RolloverObstacle): BuildWarning {
  const name = ERRORS[obstacle];
  const { number } = lendingError(name);
  const details = detailsOf(accounts, obstacle);
  const message = `${ROLLOVER_OBSTACLE_WORDS[obstacle]}${details} The program answers ${number} ${name}.`;
  return warning(CODES[obstacle] ?? 'ACTION_NOT_ALLOWED', message);
}

/** The numbers that the program compares. */
function detailsOf({ debt, source, target }: RollOverAccounts, obstacle: RolloverObstacle): string {
  const own = debt.fixedTermBorrowRolloverConfig;
  const { config } = target.reserve;
  if (obstacle === 'RATE_TOO_HIGH') {
    return ` It is ${bpsInWords(highestBorrowRateBps(config))} a year, and the maximum is ${bpsInWords(own.maxBorrowRateBps)}.`;
  }
  if (obstacle === 'TERM_TOO_SHORT') {
    return ` It is ${durationInWords(config.debtTermSeconds)}, and the minimum is ${durationInWords(own.minDebtTermSeconds)}.`;
  }
  if (obstacle !== 'TOO_EARLY') return '';
  const window =
    config.debtTermSeconds === 0n
      ? openTermRolloverWindow(target.market)
      : fixedTermRolloverWindow(target.market, own);
  const end = debtTermEnd(source.reserve.config, debt);
  return window === null || end === null ? '' : ` It begins on ${safeDate(end - window).toISOString()}.`;
}

function inPart({ source }: RollOverAccounts, { rollover }: RollOverOutcome): BuildWarning[] {
  if (!rollover.isPart || rollover.moved === 0n) return [];
  const moved = `${placePoint(rollover.moved, Number(source.reserve.liquidity.mintDecimals))} ${source.symbol}`;
  const message = `The new reserve can take over only ${moved}. The rest of the debt stays where it is, with its present end.`;
  return [warning('ROLLED_OVER_IN_PART', message)];
}

/** Compares the highest rates: a floating one may reach it. */
function rateRises({ source, target }: RollOverAccounts): BuildWarning[] {
  const [before, after] = [source, target].map(({ reserve }) => highestBorrowRateBps(reserve.config));
  if (before === undefined || after === undefined || after <= before) return [];
  const message = `The highest rate of the new reserve is ${bpsInWords(after)} a year, that of the present one ${bpsInWords(before)}.`;
  return [warning('ROLLOVER_RATE_HIGHER', message)];
}

function endsEarlier(accounts: RollOverAccounts, { after }: RollOverOutcome): BuildWarning[] {
  const { debt, source, target, request } = accounts;
  const rolled = activeBorrows(after.obligation).find(
    ({ borrowReserve }) => borrowReserve === request.targetReserve,
  );
  if (rolled === undefined) return [];
  const [ends, endsBefore] = [
    debtEnds(target.market, target.reserve.config, rolled)[0],
    debtEnds(source.market, source.reserve.config, debt)[0],
  ];
  if (ends === undefined || (endsBefore !== undefined && ends.at >= endsBefore.at)) return [];
  const message =
    endsBefore === undefined
      ? 'The debt never ended before, and has an end after the rollover.'
      : 'The debt ends earlier after the rollover than before.';
  return [warning('ROLLOVER_ENDS_EARLIER', message)];
}

function settingsCleared(accounts: RollOverAccounts, { terms }: RollOverOutcome): BuildWarning[] {
  const isCleared = allowsRollover(accounts.debt.fixedTermBorrowRolloverConfig) && !allowsRollover(terms);
  if (!isCleared || isSameReserve(accounts)) return [];
  const message = 'The rollover settings of the debt are cleared: a debt without a term keeps none.';
  return [warning('ROLLOVER_SETTINGS_CLEARED', message)];
}
