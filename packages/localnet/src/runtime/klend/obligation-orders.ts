import type { Obligation } from '@sluice/protocol/klend/obligation';
import { ensure } from '../anchor.ts';
import { LENDING } from './lending-errors.ts';
import type { ObligationState } from './obligation-state.ts';

type Order = Obligation['obligationOrders'][number];

/** Conditions on the price of one debt in terms of one collateral. */
const PRICE_RATIO_CONDITIONS: readonly number[] = [3, 4];
const REPAY_SINGLE_DEBT = 0;

/** Refuses an action after which an order of the obligation would no longer apply to its positions. */
export function checkOrdersSupported(obligation: ObligationState): void {
  if (!obligation.hasOrders) return;
  const debts = obligation.activeBorrows.length;
  const isPair = debts === 1 && obligation.activeDeposits.length === 1;
  for (const order of obligation.data.obligationOrders.filter(isSet)) {
    const conditionApplies = isPair || !PRICE_RATIO_CONDITIONS.includes(order.conditionType);
    const opportunityApplies = debts === 1 || order.opportunityType !== REPAY_SINGLE_DEBT;
    const applies = conditionApplies && opportunityApplies;
    ensure(applies, LENDING.operationNotPermittedWithCurrentObligationOrders);
  }
}

function isSet(order: Order): boolean {
  const { conditionThresholdSf, opportunityParameterSf, conditionType, opportunityType } = order;
  const { minExecutionBonusBps, maxExecutionBonusBps } = order;
  const small = [conditionType, opportunityType, minExecutionBonusBps, maxExecutionBonusBps];
  return conditionThresholdSf !== 0n || opportunityParameterSf !== 0n || small.some((each) => each !== 0);
}
