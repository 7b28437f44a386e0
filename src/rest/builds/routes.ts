import type { Operation } from '../operation/operation.ts';
import type { KtxAction } from './action.ts';
import { BORROW_ORDER_ACTIONS } from './borrow-order-actions.ts';
import { CLAIM_ACTION } from './claim-action.ts';
import { CURATOR_ACTIONS } from './curator-actions.ts';
import { LENDING_ACTIONS } from './lending-actions.ts';
import { ORDER_ACTIONS } from './order-actions.ts';
import { OWNERSHIP_ACTIONS } from './ownership-actions.ts';
import { POSITION_SWAP_ACTIONS } from './position-swap-actions.ts';
import { QUEUE_ACTIONS } from './queue-actions.ts';
import { REFERRAL_ACTIONS } from './referral-actions.ts';
import { REPAY_WITHDRAW_ACTION } from './repay-withdraw-action.ts';
import { ROLLOVER_ACTIONS } from './rollover-action.ts';
import { VAULT_ACTIONS } from './vault-actions.ts';

/** Every action that can be built, alone or in a plan. */
export const KTX_ACTIONS: readonly KtxAction[] = [
  ...LENDING_ACTIONS,
  REPAY_WITHDRAW_ACTION,
  ...ORDER_ACTIONS,
  ...BORROW_ORDER_ACTIONS,
  ...OWNERSHIP_ACTIONS,
  ...ROLLOVER_ACTIONS,
  ...POSITION_SWAP_ACTIONS,
  ...QUEUE_ACTIONS,
  ...VAULT_ACTIONS,
  ...CURATOR_ACTIONS,
  CLAIM_ACTION,
  ...REFERRAL_ACTIONS,
];

/** The builders, each in two forms. */
export const KTX_OPERATIONS: readonly Operation[] = KTX_ACTIONS.flatMap(({ operations }) => operations);
