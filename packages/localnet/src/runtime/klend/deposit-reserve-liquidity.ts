import { depositReserveLiquidity as layout } from '@sluice/protocol/klend/reserve-instructions';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { anchorInstruction, ensure } from '../anchor.ts';
import {
  checkAddress,
  checkHasOne,
  checkProgram,
  checkTokenProgram,
  loadMint,
  loadTokenAccount,
} from '../anchor-accounts.ts';
import { LENDING } from './lending-errors.ts';
import { checkMarketAuthority, checkNoEmergency, loadMarket } from './market.ts';
import { checkPermission } from './permission.ts';
import { checkNotVault, checkOpenForEntry, watchVault } from './reserve-checks.ts';
import { depositLiquidity } from './reserve-liquidity.ts';
import { refreshReserveState } from './reserve-refresh.ts';
import { ReserveState } from './reserve-state.ts';
import { mintCollateral, moveLiquidity } from './reserve-transfers.ts';
import { checkTokenExtensions } from './token-extensions.ts';

/** Exchanges liquidity for collateral tokens in the wallet. */
export const depositReserveLiquidity = anchorInstruction(layout, 34_000, (call) => {
  const { invocation, accounts, args } = call;
  const { clock } = invocation;
  const reserve = ReserveState.load(accounts.reserve);
  const market = loadMarket(accounts.lendingMarket);
  const { liquidity, collateral } = reserve.data;
  checkHasOne(reserve.data.lendingMarket, accounts.lendingMarket);
  const authority = checkMarketAuthority(accounts.lendingMarketAuthority, accounts.lendingMarket);
  const mint = loadMint(accounts.reserveLiquidityMint, accounts.liquidityTokenProgram.address);
  checkAddress(accounts.reserveLiquidityMint, liquidity.mintPubkey);
  checkAddress(accounts.reserveLiquiditySupply, liquidity.supplyVault);
  checkAddress(accounts.reserveCollateralMint, collateral.mintPubkey);
  const source = loadTokenAccount(accounts.userSourceLiquidity, { mint: liquidity.mintPubkey });
  loadTokenAccount(accounts.userDestinationCollateral, { mint: collateral.mintPubkey });
  checkProgram(accounts.collateralTokenProgram, TOKEN_PROGRAM);
  checkTokenProgram(accounts.liquidityTokenProgram);
  checkAddress(accounts.instructionSysvarAccount, INSTRUCTIONS_SYSVAR);
  checkNoEmergency(market);

  checkNotVault(accounts.userSourceLiquidity, liquidity.supplyVault);
  checkNotVault(accounts.userDestinationCollateral, collateral.supplyVault);
  checkOpenForEntry(reserve);
  ensure(reserve.config.blockCtokenUsage === 0, LENDING.ctokenUsageBlocked);
  checkTokenExtensions(mint, source);
  checkPermission(market, [reserve], 'deposit', call.remaining);

  refreshReserveState(reserve, clock, market);
  const checkVault = watchVault(accounts.reserveLiquiditySupply, reserve);
  const deposited = depositLiquidity(reserve, clock, args.liquidityAmount);
  invocation.log(`pnl: Depositing in reserve ${reserve.address} liquidity ${deposited.liquidity}`);
  reserve.save();
  moveLiquidity(
    invocation,
    {
      tokenProgram: accounts.liquidityTokenProgram.address,
      source: accounts.userSourceLiquidity.address,
      destination: accounts.reserveLiquiditySupply.address,
      owner: accounts.owner.address,
      amount: deposited.liquidity,
    },
    liquidity.mintPubkey,
    mint.decimals,
  );
  mintCollateral(invocation, {
    tokenProgram: accounts.collateralTokenProgram.address,
    mint: collateral.mintPubkey,
    account: accounts.userDestinationCollateral.address,
    authority,
    amount: deposited.collateral,
  });
  checkVault(deposited.liquidity);
});
