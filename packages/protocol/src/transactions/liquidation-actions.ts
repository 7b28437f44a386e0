import type { Address } from '@solana/kit';
import { liquidateV1, liquidateV2 } from '../klend/liquidation-instructions.ts';
import type { Action, CallContext, Changes } from './call-context.ts';
import { instructionReader } from './instruction-reader.ts';
import { position } from './lending-changes.ts';

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

/** Two changes: the debt repaid by the liquidator, and the collateral seized. Either may be 0. */
function liquidated(accounts: LiquidationAccounts, { flows, lookups }: CallContext): Changes {
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
  instructionReader(liquidateV2, ({ accounts }, context: CallContext) => liquidated(accounts, context)),
  instructionReader(liquidateV1, ({ accounts }, context: CallContext) => liquidated(accounts, context)),
];
