import type { Action } from '../../builders/action.ts';
import type { AmountInput } from '../../builders/amount.ts';
import { DEFAULT_OBLIGATION, type ObligationChoice } from '../../builders/lending/obligation-choice.ts';
import { buildRepayWithCollateral } from '../../builders/leverage/repay-with-collateral.ts';
import type { Session } from '../records.ts';
import { type LeverageActionRequest, leverageAction, leverageOptions } from './leverage-action.ts';

export interface RepayWithCollateralRequest extends LeverageActionRequest {
  /** Debt to repay. */
  readonly amount: AmountInput;
  /** By default the vanilla obligation with id 0. */
  readonly obligation?: ObligationChoice;
}

/** Repays debt of any obligation with a part of its collateral. */
export function repayWithCollateralAction(session: Session, request: RepayWithCollateralRequest): Action {
  return leverageAction(session, request, request.obligation ?? DEFAULT_OBLIGATION, {
    kind: 'REPAY_WITH_COLLATERAL',
    collateralAction: 'withdraw',
    build: (accounts, read) =>
      buildRepayWithCollateral(
        accounts,
        { repay: request.amount, closes: false },
        read,
        leverageOptions(request),
      ),
  });
}
