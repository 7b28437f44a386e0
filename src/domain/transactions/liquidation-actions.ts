import type { Address } from '@solana/kit';
import { liquidateV1, liquidateV2 } from '../../programs/klend/liquidation-instructions.ts';
import { position } from './lending-changes.ts';
import { reading } from './readings.ts';
import type { Action, Changes, Scene } from './scene.ts';

interface LiquidationAccounts {
  readonly liquidator: Address;
  readonly obligation: Address;
  readonly lendingMarket: Address;
  readonly repayReserve: Address;
  readonly repayReserveLiquiditySupply: Address;
  readonly withdrawReserve: Address;
  readonly withdrawReserveCollateralSupply: Address;
  readonly withdrawReserveLiquiditySupply: Address;
  readonly withdrawReserveLiquidityFeeReceiver: Address;
  readonly userSourceLiquidity: Address;
  readonly userDestinationCollateral: Address;
  readonly userDestinationLiquidity: Address;
}

/** Two changes: the debt that the liquidator paid, and the collateral taken for it. Either may be 0. */
function liquidated(accounts: LiquidationAccounts, { flows, lookups }: Scene): Changes {
  const head = {
    owner: accounts.liquidator,
    obligation: accounts.obligation,
    lendingMarket: accounts.lendingMarket,
  };
  const repaid = flows.sent(accounts.userSourceLiquidity, accounts.repayReserveLiquiditySupply);
  const taken = flows.sent(accounts.withdrawReserveCollateralSupply, accounts.userDestinationCollateral);
  const redeemed = flows.received(accounts.withdrawReserveLiquiditySupply, accounts.userDestinationLiquidity);
  if (repaid === 0n && taken === 0n) return {};
  return {
    lending: [
      {
        ...position('liquidation', 'debt', head, accounts.repayReserve, lookups),
        liquidity: repaid,
      },
      {
        ...position('liquidation', 'collateral', head, accounts.withdrawReserve, lookups),
        // A reserve without enough liquidity leaves the liquidator with collateral tokens.
        liquidity: redeemed === 0n ? null : redeemed,
        collateral: taken,
        fee: flows.sent(accounts.userDestinationLiquidity, accounts.withdrawReserveLiquidityFeeReceiver),
      },
    ],
  };
}

export const LIQUIDATION_ACTIONS: readonly Action[] = [
  reading(liquidateV2, ({ accounts }, scene: Scene) => liquidated(accounts, scene)),
  reading(liquidateV1, ({ accounts }, scene: Scene) => liquidated(accounts, scene)),
];
