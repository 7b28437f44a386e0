import type { Action } from '../../builders/action.ts';
import type { AmountInput } from '../../builders/amount.ts';
import type { ObligationChoice } from '../../builders/lending/obligation-choice.ts';
import { buildRepayWithCollateral } from '../../builders/leverage/repay-with-collateral.ts';
import { checkLeverageTag } from '../../builders/leverage/request.ts';
import type { Session } from '../records.ts';
import {
  type LeverageActionRequest,
  leverageAction,
  leverageOptions,
  multiplyObligation,
} from './leverage-action.ts';

export interface DeleverageRequest extends LeverageActionRequest {
  /** Debt to repay; "all" closes the position. */
  readonly amount: AmountInput;
  /** By default the Multiply obligation with id 0 for the two tokens. */
  readonly obligation?: ObligationChoice;
}

/** Repays debt of a Multiply or Leverage obligation with its collateral. All of the debt closes the position. */
export function deleverageAction(session: Session, request: DeleverageRequest): Action {
  const obligation = request.obligation ?? multiplyObligation(session, request);
  return leverageAction(session, request, obligation, {
    kind: 'DELEVERAGE',
    collateralAction: 'withdraw',
    build(accounts, read) {
      checkLeverageTag(accounts.request, accounts.lending.obligation);
      const amounts = { repay: request.amount, closes: true };
      return buildRepayWithCollateral(accounts, amounts, read, leverageOptions(request));
    },
  });
}
