import { referrerTokenStateAddress } from '@sluice/protocol/klend/addresses';
import { withdrawReferrerFees as layout } from '@sluice/protocol/klend/referrer-instructions';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { anchorInstruction, type CallOf, ensure, load, patch } from '../anchor.ts';
import {
  checkAddress,
  checkHasOne,
  checkSeeds,
  checkTokenProgram,
  loadMint,
  loadTokenAccount,
} from '../anchor-accounts.ts';
import { floorSf, leastOf, subSf, wholeSf } from './fraction.ts';
import { isStale, PRICE_STATUS } from './last-update.ts';
import { LENDING } from './lending-errors.ts';
import { checkMarketAuthority, checkNoEmergency, loadMarket } from './market.ts';
import { freelyAvailable, withdrawFreely } from './reserve-liquidity.ts';
import { ReserveState } from './reserve-state.ts';
import { moveLiquidity } from './reserve-transfers.ts';
import { checkTokenExtensions } from './token-extensions.ts';

const { klend } = MAINNET_PROGRAMS;

/**
 * Pays a referrer the whole base units of its fees in one reserve, as far as they are neither lent out nor owed to the withdraw
 * queue. Leaves the reserve stale.
 */
export const withdrawReferrerFees = anchorInstruction(layout, 18_000, (call) => {
  const { invocation, accounts } = call;
  const { market, reserve, state, mint, authority } = checkAccounts(call);
  checkNoEmergency(market);

  checkTokenExtensions(mint, loadTokenAccount(accounts.referrerTokenAccount));
  ensure(!isStale(reserve.lastUpdate, invocation.clock, PRICE_STATUS.all), LENDING.reserveStale);
  const owed = floorSf(leastOf(state.amountUnclaimedSf, reserve.referrerFeesSf));
  const amount = leastOf(owed, freelyAvailable(reserve));
  ensure(amount !== 0n, LENDING.insufficientReferralFeesToRedeem);
  withdrawFreely(reserve, amount);
  reserve.referrerFeesSf = subSf(reserve.referrerFeesSf, wholeSf(amount));
  reserve.lastUpdate.stale = true;
  reserve.save();
  patch(accounts.referrerTokenState, referrerTokenState, {
    amountUnclaimedSf: subSf(state.amountUnclaimedSf, wholeSf(amount)),
  });
  invocation.log(`Withdrawing referrer fees: ${amount}`);
  moveLiquidity(
    invocation,
    {
      tokenProgram: accounts.tokenProgram.address,
      source: accounts.reserveSupplyLiquidity.address,
      destination: accounts.referrerTokenAccount.address,
      owner: authority,
      amount,
    },
    accounts.reserveLiquidityMint.address,
    mint.decimals,
    [authority],
  );
});

function checkAccounts({ accounts }: CallOf<typeof layout>) {
  const { lendingMarket, tokenProgram } = accounts;
  const state = load(accounts.referrerTokenState, referrerTokenState, klend);
  const reserve = ReserveState.load(accounts.reserve);
  const { liquidity } = reserve.data;
  loadMint(accounts.reserveLiquidityMint);
  loadTokenAccount(accounts.reserveSupplyLiquidity);
  loadTokenAccount(accounts.referrerTokenAccount);
  const market = loadMarket(lendingMarket);
  checkTokenProgram(tokenProgram);

  const derived = referrerTokenStateAddress(klend, accounts.referrer.address, reserve.address);
  checkSeeds(accounts.referrerTokenState, derived);
  checkHasOne(reserve.data.lendingMarket, lendingMarket);
  checkAddress(accounts.reserveLiquidityMint, liquidity.mintPubkey);
  const mint = loadMint(accounts.reserveLiquidityMint, tokenProgram.address);
  checkAddress(accounts.reserveSupplyLiquidity, liquidity.supplyVault);
  loadTokenAccount(accounts.referrerTokenAccount, { mint: liquidity.mintPubkey });
  const authority = checkMarketAuthority(accounts.lendingMarketAuthority, lendingMarket);
  return { market, reserve, state, mint, authority };
}
