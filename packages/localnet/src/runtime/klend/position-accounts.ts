import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import {
  checkAddress,
  checkHasOne,
  checkProgram,
  checkTokenProgram,
  loadMint,
  loadTokenAccount,
} from '../anchor-accounts.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { checkMarketAuthority, loadMarket } from './market.ts';
import { ObligationState } from './obligation-state.ts';
import { ReserveState } from './reserve-state.ts';

/** Accounts of an action that moves liquidity of a wallet and collateral of its obligation at once. */
interface PositionAccounts {
  readonly owner: InstructionAccount;
  readonly obligation: InstructionAccount;
  readonly lendingMarket: InstructionAccount;
  readonly lendingMarketAuthority: InstructionAccount;
  readonly reserve: InstructionAccount;
  readonly reserveLiquidityMint: InstructionAccount;
  readonly reserveLiquiditySupply: InstructionAccount;
  readonly reserveCollateralMint: InstructionAccount;
  readonly reserveCollateralSupply: InstructionAccount;
  readonly userLiquidity: InstructionAccount;
  readonly collateralTokenProgram: InstructionAccount;
  readonly liquidityTokenProgram: InstructionAccount;
  readonly instructionSysvarAccount: InstructionAccount;
}

export function checkPositionAccounts(accounts: PositionAccounts) {
  const obligation = ObligationState.load(accounts.obligation);
  const market = loadMarket(accounts.lendingMarket);
  const reserve = ReserveState.load(accounts.reserve);
  const { liquidity, collateral, lendingMarket } = reserve.data;
  checkProgram(accounts.collateralTokenProgram, TOKEN_PROGRAM);
  checkTokenProgram(accounts.liquidityTokenProgram);
  checkHasOne(obligation.data.lendingMarket, accounts.lendingMarket);
  checkHasOne(obligation.data.owner, accounts.owner);
  const authority = checkMarketAuthority(accounts.lendingMarketAuthority, accounts.lendingMarket);
  checkHasOne(lendingMarket, accounts.lendingMarket);
  checkAddress(accounts.reserveLiquidityMint, liquidity.mintPubkey);
  const mint = loadMint(accounts.reserveLiquidityMint, accounts.liquidityTokenProgram.address);
  checkAddress(accounts.reserveLiquiditySupply, liquidity.supplyVault);
  checkAddress(accounts.reserveCollateralMint, collateral.mintPubkey);
  checkAddress(accounts.reserveCollateralSupply, collateral.supplyVault);
  const userLiquidity = loadTokenAccount(accounts.userLiquidity, {
    mint: liquidity.mintPubkey,
    authority: accounts.owner.address,
  });
  checkAddress(accounts.instructionSysvarAccount, INSTRUCTIONS_SYSVAR);
  return { obligation, market, reserve, mint, userLiquidity, authority };
}
