import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { AccountUses, InstructionLayout } from '@sluice/protocol/layout/instruction';
import type { Fields } from '@sluice/protocol/layout/struct';
import { type AnchorCall, type AnchorInstruction, anchorInstruction, type NamedAccounts } from '../anchor.ts';
import type { FarmKind } from './farm-kind.ts';
import { checkMarketAuthority, checkNoEmergency } from './market.ts';
import { checkNeighbours } from './neighbour-checks.ts';
import {
  checkFarmAccounts,
  type FarmedPosition,
  type OptionalFarmAccounts,
  refreshFarmAfterAction,
} from './obligation-farms.ts';
import type { ObligationState } from './obligation-state.ts';
import type { ReserveState } from './reserve-state.ts';

/** Accounts loaded by the checks of an action. */
interface Checked {
  readonly market: LendingMarket;
  readonly obligation: ObligationState;
  readonly reserve: ReserveState;
}

type Either<V1 extends AccountUses, V2 extends AccountUses, F extends Fields> =
  | AnchorCall<V1, F>
  | AnchorCall<V2, F>;

/** An action on one position of an obligation: all that its two versions have in common. */
interface PositionAction<
  V1 extends AccountUses,
  V2 extends AccountUses,
  F extends Fields,
  C extends Checked,
> {
  readonly v1: InstructionLayout<V1, F>;
  readonly v2: InstructionLayout<V2, F>;
  /** Compute units of the instruction itself, without its calls to other programs. */
  readonly units: number;
  /** The farm of the position's side. */
  readonly kind: FarmKind;
  /** The framework's checks of the accounts that both versions have. */
  check(call: Either<NoInfer<V1>, NoInfer<V2>, NoInfer<F>>): C;
  run(call: Either<NoInfer<V1>, NoInfer<V2>, NoInfer<F>>, checked: C): void;
  /** The position and the farm accounts of V2. */
  farmed(accounts: NamedAccounts<V2>): FarmedPosition & OptionalFarmAccounts;
}

/**
 * The older version wants the refreshes as its neighbours in the transaction. V2 refreshes the farm itself, from the farm
 * accounts that it takes.
 */
export function bothVersions<
  V1 extends AccountUses,
  V2 extends AccountUses,
  F extends Fields,
  C extends Checked,
>(action: PositionAction<V1, V2, F, C>): readonly [v1: AnchorInstruction, v2: AnchorInstruction] {
  const { units, kind } = action;
  return [
    anchorInstruction(action.v1, units, (call) => {
      const checked = action.check(call);
      checkNoEmergency(checked.market);
      checkNeighbours(call.invocation, checked.obligation.address, [[checked.reserve, kind]]);
      action.run(call, checked);
    }),
    anchorInstruction(action.v2, units, (call) => {
      const checked = action.check(call);
      const farmed = action.farmed(call.accounts);
      checkFarmAccounts(farmed);
      checkMarketAuthority(farmed.lendingMarketAuthority, farmed.lendingMarket);
      checkNoEmergency(checked.market);
      action.run(call, checked);
      refreshFarmAfterAction(call.invocation, farmed, kind);
    }),
  ];
}
