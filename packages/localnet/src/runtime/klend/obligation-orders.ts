import type { ObligationOrder } from '@sluice/protocol/klend/obligation';
import { FRACTION_ONE, U128_MAX } from '@sluice/protocol/numeric/fraction';
import { ensure } from '../anchor.ts';
import { bpsSf } from './fraction.ts';
import { LENDING } from './lending-errors.ts';
import type { ObligationState } from './obligation-state.ts';

/** Numbers of the conditions. */
const CONDITION = { never: 0, ltvAbove: 1, ltvBelow: 2, ratioAbove: 3, ratioBelow: 4, always: 5, closer: 6 };
/** Conditions on the price of one debt in terms of one collateral. */
const PRICE_RATIO_CONDITIONS: readonly number[] = [CONDITION.ratioAbove, CONDITION.ratioBelow];
const LTV_CONDITIONS: readonly number[] = [CONDITION.ltvAbove, CONDITION.ltvBelow, CONDITION.closer];
const REPAY_SINGLE_DEBT = 0;
const REPAY_ALL_DEBT = 1;

/** The program's constants are decimals rounded to the nearest fraction. */
const decimalSf = (n: bigint, d: bigint) => (n * FRACTION_ONE + d / 2n) / d;
const LEAST_LTV = decimalSf(1n, 100n);
const LEAST_RATIO = decimalSf(1n, 10n ** 15n);
const LARGEST_RATIO = FRACTION_ONE * 10n ** 15n;
const LARGEST_BONUS = decimalSf(1n, 10n);

/** Refuses an action after which an order of the obligation would no longer apply to its positions. */
export function checkOrdersSupported(obligation: ObligationState): void {
  if (!obligation.hasOrders) return;
  const applies = obligation.data.obligationOrders.every((order) => isSupportedOrder(order, obligation));
  ensure(applies, LENDING.operationNotPermittedWithCurrentObligationOrders);
}

/** Whether an order applies to the positions of the obligation. An empty one always does. */
export function isSupportedOrder(order: ObligationOrder, obligation: ObligationState): boolean {
  if (!isSet(order)) return true;
  const debts = obligation.activeBorrows.length;
  const isPair = debts === 1 && obligation.activeDeposits.length === 1;
  const conditionApplies = isPair || !PRICE_RATIO_CONDITIONS.includes(order.conditionType);
  return conditionApplies && (debts === 1 || order.opportunityType !== REPAY_SINGLE_DEBT);
}

/**
 * Refuses an order with invalid terms (6124).
 *
 * @param bytes the order as encoded, whose padding must be zero
 */
export function validateOrder(order: ObligationOrder, bytes: Uint8Array): void {
  const { conditionType, minExecutionBonusBps, maxExecutionBonusBps } = order;
  const isEmpty = bytes.every((byte) => byte === 0);
  ensure(conditionType !== CONDITION.never || isEmpty, LENDING.invalidOrderConfiguration);
  if (isEmpty) return;
  ensure(hasValidCondition(order), LENDING.invalidOrderConfiguration);
  ensure(hasValidOpportunity(order), LENDING.invalidOrderConfiguration);
  const hasValidBonus =
    minExecutionBonusBps <= maxExecutionBonusBps && bpsSf(maxExecutionBonusBps) <= LARGEST_BONUS;
  ensure(hasValidBonus, LENDING.invalidOrderConfiguration);
  const isPadded = bytes.subarray(PADDING_AT).every((byte) => byte === 0);
  ensure(isPadded, LENDING.invalidOrderConfiguration);
}

/** klend 1.25 knows only padding after the opportunity's number. */
const PADDING_AT = 38;

function hasValidCondition(order: ObligationOrder): boolean {
  const { conditionType, conditionThresholdSf: threshold } = order;
  if (LTV_CONDITIONS.includes(conditionType)) return threshold >= LEAST_LTV && threshold < FRACTION_ONE;
  if (PRICE_RATIO_CONDITIONS.includes(conditionType))
    return threshold >= LEAST_RATIO && threshold <= LARGEST_RATIO;
  const hasOneBonus = order.minExecutionBonusBps === order.maxExecutionBonusBps;
  return conditionType === CONDITION.always && threshold === 0n && hasOneBonus;
}

function hasValidOpportunity({ opportunityType, opportunityParameterSf: parameter }: ObligationOrder) {
  if (opportunityType === REPAY_SINGLE_DEBT) return parameter !== 0n && parameter !== U128_MAX;
  return opportunityType === REPAY_ALL_DEBT && parameter === U128_MAX;
}

function isSet(order: ObligationOrder): boolean {
  const { conditionThresholdSf, opportunityParameterSf, conditionType, opportunityType } = order;
  const { minExecutionBonusBps, maxExecutionBonusBps } = order;
  const small = [conditionType, opportunityType, minExecutionBonusBps, maxExecutionBonusBps];
  return conditionThresholdSf !== 0n || opportunityParameterSf !== 0n || small.some((each) => each !== 0);
}
