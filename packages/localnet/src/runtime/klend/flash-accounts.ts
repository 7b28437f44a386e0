import type { flashBorrow } from '@sluice/protocol/klend/flash-instructions';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { INSTRUCTIONS_SYSVAR, MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { type CallOf, load } from '../anchor.ts';
import {
  checkAddress,
  checkHasOne,
  checkTokenProgram,
  loadMint,
  loadTokenAccount,
} from '../anchor-accounts.ts';
import { checkMarketAuthority, checkNoEmergency, loadMarket } from './market.ts';
import { ReserveState } from './reserve-state.ts';

const { klend } = MAINNET_PROGRAMS;

/** The framework's checks of the accounts of a flash borrow or repayment. The wallet's account may belong to anybody. */
export function checkFlashAccounts(accounts: CallOf<typeof flashBorrow>['accounts']) {
  const market = loadMarket(accounts.lendingMarket);
  const reserve = ReserveState.load(accounts.reserve);
  const { liquidity, lendingMarket } = reserve.data;
  const userAccount = loadTokenAccount(accounts.userLiquidity);
  loadTokenAccount(accounts.reserveLiquidityFeeReceiver);
  if (accounts.referrerTokenState !== null) load(accounts.referrerTokenState, referrerTokenState, klend);
  checkTokenProgram(accounts.tokenProgram);
  const authority = checkMarketAuthority(accounts.lendingMarketAuthority, accounts.lendingMarket);
  checkHasOne(lendingMarket, accounts.lendingMarket);
  const mint = loadMint(accounts.reserveLiquidityMint, accounts.tokenProgram.address);
  checkAddress(accounts.reserveLiquidityMint, liquidity.mintPubkey);
  checkAddress(accounts.reserveLiquiditySupply, liquidity.supplyVault);
  checkAddress(accounts.reserveLiquidityFeeReceiver, liquidity.feeVault);
  checkAddress(accounts.instructionSysvarAccount, INSTRUCTIONS_SYSVAR);
  checkNoEmergency(market);
  return { market, reserve, mint, userAccount, authority };
}
