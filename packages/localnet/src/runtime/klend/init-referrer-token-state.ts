import { referrerTokenStateAddress } from '@sluice/protocol/klend/addresses';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { initReferrerTokenState as layout } from '@sluice/protocol/klend/setup-instructions';
import { RENT_SYSVAR, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { anchorInstruction } from '../anchor.ts';
import { checkHasOne, checkProgram, checkSeeds, checkSysvar } from '../anchor-accounts.ts';
import { initAccount } from '../anchor-init.ts';
import { loadMarket } from './market.ts';
import { ReserveState } from './reserve-state.ts';

/** Opens the account that collects a referrer's fees from one reserve. Anybody can pay for it. */
export const initReferrerTokenState = anchorInstruction(layout, 14_000, ({ invocation, accounts }) => {
  loadMarket(accounts.lendingMarket);
  const reserve = ReserveState.load(accounts.reserve);
  checkSysvar(accounts.rent, RENT_SYSVAR);
  checkProgram(accounts.systemProgram, SYSTEM_PROGRAM);
  checkHasOne(reserve.data.lendingMarket, accounts.lendingMarket);
  const referrer = accounts.referrer.address;
  const derived = referrerTokenStateAddress(invocation.program, referrer, reserve.address);
  checkSeeds(accounts.referrerTokenState, derived);
  initAccount(invocation, accounts.payer, accounts.referrerTokenState, referrerTokenState.size);
  const value = { referrer, mint: reserve.data.liquidity.mintPubkey, bump: BigInt(derived.bump) };
  accounts.referrerTokenState.write(referrerTokenState.encode(value));
});
