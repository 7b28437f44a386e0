import type { Address } from '@solana/kit';
import {
  borrowV1,
  borrowV2,
  depositV1,
  depositV2,
  repayV1,
  repayV2,
  withdrawV1,
  withdrawV2,
} from '../klend/action-instructions.ts';
import {
  depositAndWithdraw,
  depositCollateralV1,
  depositCollateralV2,
  repayAndWithdraw,
  withdrawCollateralV1,
  withdrawCollateralV2,
} from '../klend/position-instructions.ts';
import type { Action, CallContext, Changes } from './call-context.ts';
import type { LendingChange } from './events.ts';
import { instructionReader } from './instruction-reader.ts';
import { borrowed, type PositionAccounts, position } from './lending-changes.ts';
import { LIQUIDATION_ACTIONS } from './liquidation-actions.ts';
import { QUEUE_ACTIONS } from './queue-actions.ts';
import { TERM_ACTIONS } from './term-actions.ts';

function deposited(
  accounts: PositionAccounts & {
    readonly reserve: Address;
    readonly userSourceLiquidity: Address;
    readonly reserveLiquiditySupply: Address;
    readonly reserveDestinationDepositCollateral: Address;
  },
  { flows, lookups }: CallContext,
): LendingChange {
  return {
    ...position('deposit', 'collateral', accounts, accounts.reserve, lookups),
    liquidity: flows.sent(accounts.userSourceLiquidity, accounts.reserveLiquiditySupply),
    collateral: flows.received(null, accounts.reserveDestinationDepositCollateral),
  };
}

function withdrawn(
  accounts: PositionAccounts & {
    readonly withdrawReserve: Address;
    readonly userDestinationLiquidity: Address;
    readonly reserveLiquiditySupply: Address;
    readonly reserveSourceCollateral: Address;
  },
  { flows, lookups }: CallContext,
): LendingChange {
  return {
    ...position('withdraw', 'collateral', accounts, accounts.withdrawReserve, lookups),
    liquidity: flows.received(accounts.reserveLiquiditySupply, accounts.userDestinationLiquidity),
    collateral: flows.sent(accounts.reserveSourceCollateral, null),
  };
}

function repaid(
  accounts: PositionAccounts & {
    readonly repayReserve: Address;
    readonly userSourceLiquidity: Address;
    readonly reserveDestinationLiquidity: Address;
  },
  { flows, lookups }: CallContext,
): LendingChange {
  return {
    ...position('repay', 'debt', accounts, accounts.repayReserve, lookups),
    liquidity: flows.sent(accounts.userSourceLiquidity, accounts.reserveDestinationLiquidity),
  };
}

function collateralDeposited(
  accounts: PositionAccounts & {
    readonly depositReserve: Address;
    readonly userSourceCollateral: Address;
    readonly reserveDestinationCollateral: Address;
  },
  { flows, lookups }: CallContext,
): LendingChange {
  return {
    ...position('deposit', 'collateral', accounts, accounts.depositReserve, lookups),
    liquidity: null,
    collateral: flows.received(accounts.userSourceCollateral, accounts.reserveDestinationCollateral),
  };
}

/** The wallet has the collateral tokens now, and may queue them. */
function collateralWithdrawn(
  accounts: PositionAccounts & {
    readonly withdrawReserve: Address;
    readonly userDestinationCollateral: Address;
    readonly reserveSourceCollateral: Address;
  },
  { flows, lookups }: CallContext,
): Changes {
  const { owner: signer, obligation, userDestinationCollateral: account } = accounts;
  const moved = changed({
    ...position('withdraw', 'collateral', accounts, accounts.withdrawReserve, lookups),
    liquidity: null,
    collateral: flows.sent(accounts.reserveSourceCollateral, account),
  });
  return { ...moved, release: { account, signer, obligation, vault: null } };
}

interface WithdrawHalf {
  readonly withdrawOwner: Address;
  readonly withdrawObligation: Address;
  readonly withdrawLendingMarket: Address;
  readonly withdrawReserve: Address;
  readonly withdrawReserveSourceCollateral: Address;
  readonly withdrawReserveLiquiditySupply: Address;
  readonly withdrawUserDestinationLiquidity: Address;
}

/** The withdrawal half of a combined instruction, with the account names of the plain withdrawal. */
function secondHalf(accounts: WithdrawHalf) {
  return {
    owner: accounts.withdrawOwner,
    obligation: accounts.withdrawObligation,
    lendingMarket: accounts.withdrawLendingMarket,
    withdrawReserve: accounts.withdrawReserve,
    reserveSourceCollateral: accounts.withdrawReserveSourceCollateral,
    reserveLiquiditySupply: accounts.withdrawReserveLiquiditySupply,
    userDestinationLiquidity: accounts.withdrawUserDestinationLiquidity,
  };
}

/** Drops changes in which nothing moved. */
function changed(...changes: readonly LendingChange[]): Changes {
  const moving = changes.filter(({ liquidity, collateral }) => (liquidity ?? 0n) > 0n || collateral > 0n);
  return moving.length === 0 ? {} : { lending: moving };
}

/** Flash loans leave no position, so they are not listed. */
export const LENDING_ACTIONS: readonly Action[] = [
  instructionReader(depositV2, ({ accounts }, context: CallContext) => changed(deposited(accounts, context))),
  instructionReader(depositV1, ({ accounts }, context: CallContext) => changed(deposited(accounts, context))),
  instructionReader(withdrawV2, ({ accounts }, context: CallContext) =>
    changed(withdrawn(accounts, context)),
  ),
  instructionReader(withdrawV1, ({ accounts }, context: CallContext) =>
    changed(withdrawn(accounts, context)),
  ),
  instructionReader(borrowV2, ({ accounts }, context: CallContext) => changed(borrowed(accounts, context))),
  instructionReader(borrowV1, ({ accounts }, context: CallContext) => changed(borrowed(accounts, context))),
  instructionReader(repayV2, ({ accounts }, context: CallContext) => changed(repaid(accounts, context))),
  instructionReader(repayV1, ({ accounts }, context: CallContext) => changed(repaid(accounts, context))),
  instructionReader(depositCollateralV2, ({ accounts }, context: CallContext) =>
    changed(collateralDeposited(accounts, context)),
  ),
  instructionReader(depositCollateralV1, ({ accounts }, context: CallContext) =>
    changed(collateralDeposited(accounts, context)),
  ),
  instructionReader(withdrawCollateralV2, ({ accounts }, context: CallContext) =>
    collateralWithdrawn(accounts, context),
  ),
  instructionReader(withdrawCollateralV1, ({ accounts }, context: CallContext) =>
    collateralWithdrawn(accounts, context),
  ),
  instructionReader(repayAndWithdraw, ({ accounts }, context: CallContext) =>
    changed(repaid(accounts, context), withdrawn(secondHalf(accounts), context)),
  ),
  instructionReader(depositAndWithdraw, ({ accounts }, context: CallContext) =>
    changed(deposited(accounts, context), withdrawn(secondHalf(accounts), context)),
  ),
  ...LIQUIDATION_ACTIONS,
  ...TERM_ACTIONS,
  ...QUEUE_ACTIONS,
];
