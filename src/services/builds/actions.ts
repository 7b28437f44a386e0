import type { Action } from '../../builders/action.ts';
import {
  CLAIM_ACTIONS,
  type ClaimActionRequest,
  checkFarms,
  claimAction,
} from '../../builders/claim/action.ts';
import { ELEVATION_ACTIONS } from '../../builders/elevation/action.ts';
import { LENDING_ACTIONS } from '../../builders/lending/action.ts';
import { LEVERAGE_ACTIONS } from '../../builders/leverage/action.ts';
import { LIQUIDATION_ACTIONS } from '../../builders/liquidation/action.ts';
import { VAULT_ACTIONS } from '../../builders/vault/action.ts';
import type { BuildSource } from './build-source.ts';

/** Every kind of action, with its description. */
export const ACTION_KINDS = {
  ...LENDING_ACTIONS,
  ...LIQUIDATION_ACTIONS,
  ...VAULT_ACTIONS,
  ...CLAIM_ACTIONS,
  ...ELEVATION_ACTIONS,
  ...LEVERAGE_ACTIONS,
};

export type ActionKind = keyof typeof ACTION_KINDS;

/** A claim of the rewards of a wallet's stakes. One search finds them. @throws FARM_STAKE_NOT_FOUND */
export async function claimRewardsAction(source: BuildSource, request: ClaimActionRequest): Promise<Action> {
  checkFarms(request);
  const { found } = await source.session.stakesOf(request.wallet);
  const stakes = found.map(({ address, value }) => ({ user: address, farm: value.farmState }));
  return claimAction(source, request, stakes);
}

/** The other actions, which need no read to be defined. For GraphQL and REST. */
export { elevationAction } from '../../builders/elevation/action.ts';
export { type LendingActionRequest, lendingAction } from '../../builders/lending/action.ts';
export {
  deleverageAction,
  multiplyAction,
  repayWithCollateralAction,
} from '../../builders/leverage/action.ts';
export { liquidateAction } from '../../builders/liquidation/action.ts';
export {
  stakeSharesAction,
  unstakeSharesAction,
  vaultDepositAction,
  vaultWithdrawAction,
} from '../../builders/vault/action.ts';
