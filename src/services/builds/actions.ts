import type { Action } from '../../builders/action.ts';
import type { ActionKind } from '../../builders/action-kinds.ts';
import { BORROW_ORDER_ACTIONS } from '../../builders/borrow-orders/action.ts';
import {
  CLAIM_ACTIONS,
  type ClaimActionRequest,
  checkFarms,
  claimAction,
} from '../../builders/claim/action.ts';
import { CURATOR_ACTIONS } from '../../builders/curator/action.ts';
import { ELEVATION_ACTIONS } from '../../builders/elevation/action.ts';
import { LENDING_ACTIONS } from '../../builders/lending/action.ts';
import { LEVERAGE_ACTIONS } from '../../builders/leverage/action.ts';
import { LIQUIDATION_ACTIONS } from '../../builders/liquidation/action.ts';
import { ORDER_ACTIONS } from '../../builders/orders/action.ts';
import { OWNERSHIP_ACTIONS } from '../../builders/ownership/action.ts';
import { POSITION_SWAP_ACTIONS } from '../../builders/position-swap/action.ts';
import { QUEUE_ACTIONS } from '../../builders/queue/action.ts';
import {
  type ClaimFeesRequest,
  checkClaimedReserves,
  claimFeesAction,
  REFERRAL_ACTIONS,
} from '../../builders/referral/action.ts';
import { REPAY_WITHDRAW_ACTIONS } from '../../builders/repay-withdraw/action.ts';
import { ROLLOVER_ACTIONS } from '../../builders/rollover/action.ts';
import { VAULT_ACTIONS } from '../../builders/vault/action.ts';
import { referralFees } from '../wallets/referral-fees.ts';
import type { BuildSource } from './build-source.ts';

export type { ActionKind };

/** Every kind of action, with its description. */
export const ACTION_KINDS: Readonly<Record<ActionKind, string>> = {
  ...LENDING_ACTIONS,
  ...BORROW_ORDER_ACTIONS,
  ...LIQUIDATION_ACTIONS,
  ...VAULT_ACTIONS,
  ...CLAIM_ACTIONS,
  ...CURATOR_ACTIONS,
  ...ELEVATION_ACTIONS,
  ...LEVERAGE_ACTIONS,
  ...ORDER_ACTIONS,
  ...OWNERSHIP_ACTIONS,
  ...POSITION_SWAP_ACTIONS,
  ...QUEUE_ACTIONS,
  ...REFERRAL_ACTIONS,
  ...REPAY_WITHDRAW_ACTIONS,
  ...ROLLOVER_ACTIONS,
};

/** A claim of the rewards of a wallet's stakes. One search on the chain finds them. @throws FARM_STAKE_NOT_FOUND */
export async function claimRewardsAction(source: BuildSource, request: ClaimActionRequest): Promise<Action> {
  checkFarms(request);
  const { found } = await source.session.stakesOf(request.wallet, 'CHAIN');
  const stakes = found.map(({ address, value }) => ({ user: address, farm: value.farmState }));
  return claimAction(source, request, stakes);
}

/** A claim of referral fees. Unless the request names reserves, one search on the chain finds those that owe some. */
export async function claimReferralFeesAction(
  source: BuildSource,
  request: ClaimFeesRequest,
): Promise<Action> {
  checkClaimedReserves(request);
  if (request.reserves !== undefined) return claimFeesAction(source, request, []);
  const { fees } = await referralFees(source.session, request.wallet, 'CHAIN');
  const owing = fees.filter(({ account }) => account.value.amountUnclaimedSf > 0n);
  return claimFeesAction(
    source,
    request,
    owing.map(({ reserve }) => reserve.address),
  );
}

/** The other actions, which need no read to be defined. For GraphQL and REST. */
export { cancelBorrowOrderAction, setBorrowOrderAction } from '../../builders/borrow-orders/action.ts';
export { fillBorrowOrderAction } from '../../builders/borrow-orders/fill.ts';
export {
  acceptVaultAdminAction,
  giveUpVaultFeesAction,
  investVaultAction,
  removeAllocationAction,
  setAllocationAction,
  setVaultConfigAction,
  topUpVaultRewardsAction,
  withdrawVaultFeesAction,
  withdrawVaultRewardsAction,
} from '../../builders/curator/action.ts';
export { createVaultAction } from '../../builders/curator/create-vault.ts';
export { VAULT_SETTING_NAMES, type VaultSettingName } from '../../builders/curator/setting-names.ts';
export type { VaultSettings } from '../../builders/curator/setting-rows.ts';
export type { CapInput } from '../../builders/curator/units.ts';
export { elevationAction } from '../../builders/elevation/action.ts';
export { type LendingActionRequest, lendingAction } from '../../builders/lending/action.ts';
export {
  deleverageAction,
  multiplyAction,
  repayWithCollateralAction,
} from '../../builders/leverage/action.ts';
export { liquidateAction } from '../../builders/liquidation/action.ts';
export { cancelOrderAction, setOrderAction } from '../../builders/orders/action.ts';
export { WATCHED_CONDITIONS, type WatchedCondition } from '../../builders/orders/request.ts';
export {
  abortTransferAction,
  acceptObligationAction,
  initiateTransferAction,
} from '../../builders/ownership/action.ts';
export { swapCollateralAction, swapDebtAction } from '../../builders/position-swap/action.ts';
export {
  cancelTicketAction,
  enqueueAction,
  payTicketAction,
  recoverTicketAction,
} from '../../builders/queue/action.ts';
export { nameReferrerAction, setUpReferrerAction } from '../../builders/referral/action.ts';
export { repayAndWithdrawAction } from '../../builders/repay-withdraw/action.ts';
export { setRolloverAction } from '../../builders/rollover/action.ts';
export type { WantedRollover } from '../../builders/rollover/request.ts';
export { rollOverAction } from '../../builders/rollover/roll-over.ts';
export {
  stakeSharesAction,
  unstakeSharesAction,
  vaultDepositAction,
  vaultRedeemInKindAction,
  vaultWithdrawAction,
} from '../../builders/vault/action.ts';
