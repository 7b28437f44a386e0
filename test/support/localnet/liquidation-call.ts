import { marketAuthority } from '@sluice/protocol/klend/addresses';
import { liquidateV2 } from '@sluice/protocol/klend/liquidation-instructions';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { INSTRUCTIONS_SYSVAR, MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { addressNumber, MARKET, REFERRER, reserveAddress } from '../builders/lending-accounts.ts';
import type { LendingBench } from './lending-bench.ts';

const { klend, farms } = MAINNET_PROGRAMS;

export const LIQUIDATOR = REFERRER;
/** Token accounts of the liquidator: what it repays with, and what it receives. */
export const [SOURCE, COLLATERAL, DESTINATION] = [addressNumber(71), addressNumber(72), addressNumber(73)];
export const FUNDS = 10n ** 12n;

export interface LiquidationCall {
  readonly amount?: bigint;
  readonly least?: bigint;
  /** Index of the reserve. */
  readonly repay?: number;
  /** Index of the reserve. */
  readonly withdraw?: number;
}

/** Opens the liquidator's token accounts for the first reserve as collateral and the second as debt. */
export function fundLiquidator(bench: LendingBench): void {
  const [seized, repaid] = [bench.reserve(0), bench.reserve(1)];
  bench.setBalance(SOURCE, repaid.liquidity.mintPubkey, LIQUIDATOR, FUNDS);
  bench.setBalance(COLLATERAL, seized.collateral.mintPubkey, LIQUIDATOR, 0n);
  bench.setBalance(DESTINATION, seized.liquidity.mintPubkey, LIQUIDATOR, 0n);
}

export function liquidationCall(
  bench: LendingBench,
  { amount = U64_MAX, least = 0n, repay = 1, withdraw = 0 }: LiquidationCall = {},
): EncodedInstruction {
  const [seized, repaid] = [bench.reserve(withdraw), bench.reserve(repay)];
  return liquidateV2.encode(
    klend,
    {
      liquidator: LIQUIDATOR,
      obligation: bench.obligationAddress,
      lendingMarket: MARKET,
      lendingMarketAuthority: marketAuthority(klend, MARKET).address,
      repayReserve: reserveAddress(repay),
      repayReserveLiquidityMint: repaid.liquidity.mintPubkey,
      repayReserveLiquiditySupply: repaid.liquidity.supplyVault,
      withdrawReserve: reserveAddress(withdraw),
      withdrawReserveLiquidityMint: seized.liquidity.mintPubkey,
      withdrawReserveCollateralMint: seized.collateral.mintPubkey,
      withdrawReserveCollateralSupply: seized.collateral.supplyVault,
      withdrawReserveLiquiditySupply: seized.liquidity.supplyVault,
      withdrawReserveLiquidityFeeReceiver: seized.liquidity.feeVault,
      userSourceLiquidity: SOURCE,
      userDestinationCollateral: COLLATERAL,
      userDestinationLiquidity: DESTINATION,
      collateralTokenProgram: TOKEN_PROGRAM,
      repayLiquidityTokenProgram: TOKEN_PROGRAM,
      withdrawLiquidityTokenProgram: TOKEN_PROGRAM,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
      collateralObligationFarmUserState: null,
      collateralReserveFarmState: null,
      debtObligationFarmUserState: null,
      debtReserveFarmState: null,
      farmsProgram: farms,
    },
    {
      liquidityAmount: amount,
      minAcceptableReceivedLiquidityAmount: least,
      maxAllowedLtvOverridePercent: 0n,
    },
  );
}
