import { redeemReserveCollateral as layout } from '@sluice/protocol/klend/reserve-instructions';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { anchorInstruction } from '../anchor.ts';
import {
  checkAddress,
  checkHasOne,
  checkProgram,
  checkTokenProgram,
  loadMint,
  loadTokenAccount,
} from '../anchor-accounts.ts';
import { checkMarketAuthority, checkNoEmergency, loadMarket } from './market.ts';
import { checkNotVault, checkOpenForExit, watchVault } from './reserve-checks.ts';
import { redeemCollateral } from './reserve-liquidity.ts';
import { refreshReserveState } from './reserve-refresh.ts';
import { ReserveState } from './reserve-state.ts';
import { burnCollateral, moveLiquidity } from './reserve-transfers.ts';
import { checkTokenExtensions } from './token-extensions.ts';

/** Exchanges collateral tokens of the wallet for liquidity. */
export const redeemReserveCollateral = anchorInstruction(layout, 34_000, ({ invocation, accounts, args }) => {
  const { clock } = invocation;
  const reserve = ReserveState.load(accounts.reserve);
  const market = loadMarket(accounts.lendingMarket);
  const { liquidity, collateral } = reserve.data;
  checkHasOne(reserve.data.lendingMarket, accounts.lendingMarket);
  const authority = checkMarketAuthority(accounts.lendingMarketAuthority, accounts.lendingMarket);
  const mint = loadMint(accounts.reserveLiquidityMint, accounts.liquidityTokenProgram.address);
  checkAddress(accounts.reserveLiquidityMint, liquidity.mintPubkey);
  checkAddress(accounts.reserveCollateralMint, collateral.mintPubkey);
  checkAddress(accounts.reserveLiquiditySupply, liquidity.supplyVault);
  loadTokenAccount(accounts.userSourceCollateral, { mint: collateral.mintPubkey });
  const destination = loadTokenAccount(accounts.userDestinationLiquidity, {
    mint: liquidity.mintPubkey,
    authority: accounts.owner.address,
  });
  checkProgram(accounts.collateralTokenProgram, TOKEN_PROGRAM);
  checkTokenProgram(accounts.liquidityTokenProgram);
  checkAddress(accounts.instructionSysvarAccount, INSTRUCTIONS_SYSVAR);
  checkNoEmergency(market);

  checkNotVault(accounts.userSourceCollateral, collateral.supplyVault);
  checkNotVault(accounts.userDestinationLiquidity, liquidity.supplyVault);
  checkOpenForExit(reserve);
  checkTokenExtensions(mint, destination);

  const checkVault = watchVault(accounts.reserveLiquiditySupply, reserve);
  refreshReserveState(reserve, clock, market);
  const amount = redeemCollateral(reserve, clock, args.collateralAmount);
  invocation.log(`pnl: Redeeming reserve collateral ${amount}`);
  reserve.save();
  burnCollateral(invocation, {
    tokenProgram: accounts.collateralTokenProgram.address,
    mint: collateral.mintPubkey,
    account: accounts.userSourceCollateral.address,
    authority: accounts.owner.address,
    amount: args.collateralAmount,
  });
  moveLiquidity(
    invocation,
    {
      tokenProgram: accounts.liquidityTokenProgram.address,
      source: accounts.reserveLiquiditySupply.address,
      destination: accounts.userDestinationLiquidity.address,
      owner: authority,
      amount,
    },
    liquidity.mintPubkey,
    mint.decimals,
    [authority],
  );
  checkVault(-amount);
});
