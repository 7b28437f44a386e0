import { liquidateV2 } from '@sluice/protocol/klend/liquidation-instructions';
import {
  COMPUTE_BUDGET_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  MAINNET_PROGRAMS,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { setComputeUnitLimit } from '@sluice/protocol/system/instructions';
import type { Address } from '@solana/kit';
import { reserveMetas } from './lending-action-steps.ts';
import { refreshSteps } from './lending-instructions.ts';
import type { Farm, Obligation, Wallet } from './model.ts';
import {
  accountOf,
  burnTokens,
  moveTokens,
  openAccount,
  unwrapIfNative,
  wrapIfNative,
} from './token-instructions.ts';
import { plain, type Step, withInner } from './transaction-steps.ts';
import type { LiquidationAction } from './world-actions.ts';

const { klend, farms } = MAINNET_PROGRAMS;

export function liquidationSteps(liquidator: Wallet, action: LiquidationAction, priceFeed: Address): Step[] {
  const { obligation, debt, collateral } = action;
  const { market } = obligation;
  const [repaidMint, takenMint] = [debt.token.mint, collateral.token.mint];
  const source = accountOf(liquidator, repaidMint);
  const ctokens = accountOf(liquidator, collateral.collateralMint);
  const destination = accountOf(liquidator, takenMint);
  const collateralFarm = farmPlace(obligation, collateral.collateralFarm);
  const debtFarm = farmPlace(obligation, debt.debtFarm);
  const liquidation = liquidateV2.encode(
    klend,
    {
      liquidator: liquidator.address,
      obligation: obligation.address,
      lendingMarket: market.address,
      lendingMarketAuthority: market.authority,
      repayReserve: debt.address,
      repayReserveLiquidityMint: repaidMint.address,
      repayReserveLiquiditySupply: debt.liquidityVault.address,
      withdrawReserve: collateral.address,
      withdrawReserveLiquidityMint: takenMint.address,
      withdrawReserveCollateralMint: collateral.collateralMint.address,
      withdrawReserveCollateralSupply: collateral.collateralVault.address,
      withdrawReserveLiquiditySupply: collateral.liquidityVault.address,
      withdrawReserveLiquidityFeeReceiver: collateral.feeVault.address,
      userSourceLiquidity: source,
      userDestinationCollateral: ctokens,
      userDestinationLiquidity: destination,
      collateralTokenProgram: TOKEN_PROGRAM,
      repayLiquidityTokenProgram: repaidMint.program,
      withdrawLiquidityTokenProgram: takenMint.program,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
      collateralObligationFarmUserState: collateralFarm.user,
      collateralReserveFarmState: collateralFarm.farm,
      debtObligationFarmUserState: debtFarm.user,
      debtReserveFarmState: debtFarm.farm,
      farmsProgram: farms,
    },
    {
      liquidityAmount: action.offered,
      minAcceptableReceivedLiquidityAmount: 0n,
      maxAllowedLtvOverridePercent: 0n,
    },
    obligation.group === 0 ? [] : reserveMetas(action.deposits),
  );
  return [
    ...plain(
      setComputeUnitLimit.encode(COMPUTE_BUDGET_PROGRAM, {}, { units: 1_000_000 }),
      ...wrapIfNative(liquidator, repaidMint, action.repaid),
      openAccount(liquidator, liquidator, collateral.collateralMint),
      openAccount(liquidator, liquidator, takenMint),
    ),
    ...refreshSteps(action, [collateral, debt], priceFeed),
    withInner('LiquidateObligationAndRedeemReserveCollateralV2', liquidation, [
      moveTokens(repaidMint, source, debt.liquidityVault.address, liquidator.address, action.repaid),
      moveTokens(
        collateral.collateralMint,
        collateral.collateralVault.address,
        ctokens,
        market.authority,
        action.ctokens,
      ),
      burnTokens(collateral.collateralMint, ctokens, liquidator.address, action.ctokens),
      moveTokens(
        takenMint,
        collateral.liquidityVault.address,
        destination,
        market.authority,
        action.liquidity,
      ),
      moveTokens(takenMint, destination, collateral.feeVault.address, liquidator.address, action.fee),
    ]),
    ...plain(...unwrapIfNative(liquidator, repaidMint), ...unwrapIfNative(liquidator, takenMint)),
  ];
}

function farmPlace(
  { stakes }: Obligation,
  farm: Farm | null,
): { readonly user: Address | null; readonly farm: Address | null } {
  const user = farm === null ? undefined : stakes.get(farm.address);
  return { user: user?.address ?? null, farm: farm?.address ?? null };
}
