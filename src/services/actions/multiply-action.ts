import type { Action } from '../../builders/action.ts';
import type { ObligationChoice } from '../../builders/lending/obligation-choice.ts';
import { buildMultiply, type MultiplyAmounts } from '../../builders/leverage/multiply.ts';
import { checkLeverageSeeds, checkLeverageTag } from '../../builders/leverage/request.ts';
import type { Session } from '../records.ts';
import {
  type LeverageActionRequest,
  leverageAction,
  leverageOptions,
  multiplyObligation,
} from './leverage-action.ts';

export interface MultiplyRequest extends LeverageActionRequest, MultiplyAmounts {
  /** By default the Multiply obligation with id 0 for the two tokens. */
  readonly obligation?: ObligationChoice;
}

/** Deposits own and borrowed money, by a flash loan and the caller's swap. */
export function multiplyAction(session: Session, request: MultiplyRequest): Action {
  const obligation = request.obligation ?? multiplyObligation(session, request);
  return leverageAction(session, request, obligation, {
    kind: 'MULTIPLY',
    collateralAction: 'deposit',
    build(accounts, read) {
      checkLeverageTag(accounts.request, accounts.lending.obligation);
      checkLeverageSeeds(accounts.request, [accounts.collateral.mint, accounts.debt.mint]);
      return buildMultiply(accounts, request, read, leverageOptions(request));
    },
  });
}
