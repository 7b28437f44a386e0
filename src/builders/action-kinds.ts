import type { BORROW_ORDER_ACTIONS } from './borrow-orders/action.ts';
import type { CLAIM_ACTIONS } from './claim/action.ts';
import type { CURATOR_ACTIONS } from './curator/action.ts';
import type { ELEVATION_ACTIONS } from './elevation/action.ts';
import type { LENDING_ACTIONS } from './lending/action.ts';
import type { LEVERAGE_ACTIONS } from './leverage/action.ts';
import type { LIQUIDATION_ACTIONS } from './liquidation/action.ts';
import type { ORDER_ACTIONS } from './orders/action.ts';
import type { OWNERSHIP_ACTIONS } from './ownership/action.ts';
import type { POSITION_SWAP_ACTIONS } from './position-swap/action.ts';
import type { QUEUE_ACTIONS } from './queue/action.ts';
import type { REFERRAL_ACTIONS } from './referral/action.ts';
import type { REPAY_WITHDRAW_ACTIONS } from './repay-withdraw/action.ts';
import type { ROLLOVER_ACTIONS } from './rollover/action.ts';
import type { VAULT_ACTIONS } from './vault/action.ts';

/** The kind of an action, declared with its description in the folder of the action. */
export type ActionKind =
  | keyof typeof BORROW_ORDER_ACTIONS
  | keyof typeof CLAIM_ACTIONS
  | keyof typeof CURATOR_ACTIONS
  | keyof typeof ELEVATION_ACTIONS
  | keyof typeof LENDING_ACTIONS
  | keyof typeof LEVERAGE_ACTIONS
  | keyof typeof LIQUIDATION_ACTIONS
  | keyof typeof ORDER_ACTIONS
  | keyof typeof OWNERSHIP_ACTIONS
  | keyof typeof POSITION_SWAP_ACTIONS
  | keyof typeof QUEUE_ACTIONS
  | keyof typeof REFERRAL_ACTIONS
  | keyof typeof REPAY_WITHDRAW_ACTIONS
  | keyof typeof ROLLOVER_ACTIONS
  | keyof typeof VAULT_ACTIONS;
