import { flashRepay } from '@sluice/protocol/klend/flash-instructions';
import { anchorInstruction, type CallOf } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { feesOf } from './borrow-size.ts';
import { checkFlashAccounts } from './flash-accounts.ts';
import { checkFlashRepay } from './flash-pair.ts';
import { wholeSf } from './fraction.ts';
import { checkReferrerAccount, creditReferrer } from './referrer-fees.ts';
import { checkNoReserveEmergency, checkNotVault, watchVault } from './reserve-checks.ts';
import { repayToReserve, updateLimitTimestamps } from './reserve-liquidity.ts';
import type { ReserveState } from './reserve-state.ts';
import { moveLiquidity } from './reserve-transfers.ts';

/** Returns a flash loan. The fee is paid on top, shared with a referrer that the transaction may name. */
export const flashRepayReserveLiquidity = anchorInstruction(
  flashRepay,
  20_000,
  ({ invocation, accounts, args }) => {
    const { market, reserve, mint } = checkFlashAccounts(accounts);
    const { liquidityAmount: amount, borrowInstructionIndex: borrowIndex } = args;
    const { mintPubkey, supplyVault } = reserve.data.liquidity;
    checkNoReserveEmergency(reserve);
    checkNotVault(accounts.userLiquidity, supplyVault);
    const checkVault = watchVault(accounts.reserveLiquiditySupply, reserve);
    checkFlashRepay(invocation, { amount, borrowIndex, reserve: reserve.address });
    const referrer = referrerOf(accounts, reserve);
    const referralFeeBps = referrer === null ? 0 : market.referralFeeBps;
    const rateSf = reserve.config.fees.flashLoanFeeSf;
    const { fee, referrerFee } = feesOf(wholeSf(amount), rateSf, { referralFeeBps });

    repayToReserve(reserve, amount, wholeSf(amount));
    updateLimitTimestamps(reserve, invocation.clock);
    reserve.lastUpdate.stale = true;
    if (referrer !== null && market.referralFeeBps > 0) {
      creditReferrer(referrer, reserve, wholeSf(referrerFee));
      reserve.available += referrerFee;
    }
    reserve.save();
    const pay = (to: InstructionAccount, paid: bigint) =>
      moveLiquidity(
        invocation,
        {
          tokenProgram: accounts.tokenProgram.address,
          source: accounts.userLiquidity.address,
          destination: to.address,
          owner: accounts.userTransferAuthority.address,
          amount: paid,
        },
        mintPubkey,
        mint.decimals,
      );
    pay(accounts.reserveLiquiditySupply, amount + referrerFee);
    if (fee > 0n) pay(accounts.reserveLiquidityFeeReceiver, fee);
    checkVault(amount + referrerFee);
  },
);

/** Null unless the transaction names both the referrer and its account of earnings. */
function referrerOf(
  { referrerAccount, referrerTokenState }: CallOf<typeof flashRepay>['accounts'],
  reserve: ReserveState,
): InstructionAccount | null {
  if (referrerAccount === null || referrerTokenState === null) return null;
  checkReferrerAccount(referrerTokenState, referrerAccount.address, reserve);
  return referrerTokenState;
}
