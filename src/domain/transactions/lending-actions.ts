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
} from '../../programs/klend/action-instructions.ts';
import {
  depositAndWithdraw,
  depositCollateralV1,
  depositCollateralV2,
  repayAndWithdraw,
  withdrawCollateralV1,
  withdrawCollateralV2,
} from '../../programs/klend/position-instructions.ts';
import type { LendingChange } from './events.ts';
import { borrowed, type PositionAccounts, position } from './lending-changes.ts';
import { LIQUIDATION_ACTIONS } from './liquidation-actions.ts';
import { reading } from './readings.ts';
import type { Action, Changes, Scene } from './scene.ts';

function deposited(
  accounts: PositionAccounts & {
    readonly reserve: Address;
    readonly userSourceLiquidity: Address;
    readonly reserveLiquiditySupply: Address;
    readonly reserveDestinationDepositCollateral: Address;
  },
  { flows, lookups }: Scene,
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
  { flows, lookups }: Scene,
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
  { flows, lookups }: Scene,
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
  { flows, lookups }: Scene,
): LendingChange {
  return {
    ...position('deposit', 'collateral', accounts, accounts.depositReserve, lookups),
    liquidity: null,
    collateral: flows.received(accounts.userSourceCollateral, accounts.reserveDestinationCollateral),
  };
}

function collateralWithdrawn(
  accounts: PositionAccounts & {
    readonly withdrawReserve: Address;
    readonly userDestinationCollateral: Address;
    readonly reserveSourceCollateral: Address;
  },
  { flows, lookups }: Scene,
): LendingChange {
  return {
    ...position('withdraw', 'collateral', accounts, accounts.withdrawReserve, lookups),
    liquidity: null,
    collateral: flows.sent(accounts.reserveSourceCollateral, accounts.userDestinationCollateral),
  };
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

/** The second half of a combined instruction under the names of the instruction that it stands for. */
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

/** A change in which nothing moved is none. */
function changed(...changes: readonly LendingChange[]): Changes {
  const moving = changes.filter(({ liquidity, collateral }) => (liquidity ?? 0n) > 0n || collateral > 0n);
  return moving.length === 0 ? {} : { lending: moving };
}

/** Flash loans leave no position and are not here. */
export const LENDING_ACTIONS: readonly Action[] = [
  reading(depositV2, ({ accounts }, scene: Scene) => changed(deposited(accounts, scene))),
  reading(depositV1, ({ accounts }, scene: Scene) => changed(deposited(accounts, scene))),
  reading(withdrawV2, ({ accounts }, scene: Scene) => changed(withdrawn(accounts, scene))),
  reading(withdrawV1, ({ accounts }, scene: Scene) => changed(withdrawn(accounts, scene))),
  reading(borrowV2, ({ accounts }, scene: Scene) => changed(borrowed(accounts, scene))),
  reading(borrowV1, ({ accounts }, scene: Scene) => changed(borrowed(accounts, scene))),
  reading(repayV2, ({ accounts }, scene: Scene) => changed(repaid(accounts, scene))),
  reading(repayV1, ({ accounts }, scene: Scene) => changed(repaid(accounts, scene))),
  reading(depositCollateralV2, ({ accounts }, scene: Scene) => changed(collateralDeposited(accounts, scene))),
  reading(depositCollateralV1, ({ accounts }, scene: Scene) => changed(collateralDeposited(accounts, scene))),
  reading(withdrawCollateralV2, ({ accounts }, scene: Scene) =>
    changed(collateralWithdrawn(accounts, scene)),
  ),
  reading(withdrawCollateralV1, ({ accounts }, scene: Scene) =>
    changed(collateralWithdrawn(accounts, scene)),
  ),
  reading(repayAndWithdraw, ({ accounts }, scene: Scene) =>
    changed(repaid(accounts, scene), withdrawn(secondHalf(accounts), scene)),
  ),
  reading(depositAndWithdraw, ({ accounts }, scene: Scene) =>
    changed(deposited(accounts, scene), withdrawn(secondHalf(accounts), scene)),
  ),
  ...LIQUIDATION_ACTIONS,
];
