import { flashBorrow } from '@sluice/protocol/klend/flash-instructions';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { anchorInstruction, ensure } from '../anchor.ts';
import { checkFlashAccounts } from './flash-accounts.ts';
import { checkFlashBorrow } from './flash-pair.ts';
import { LENDING } from './lending-errors.ts';
import {
  checkNoReserveEmergency,
  checkNotVault,
  checkVersion,
  isObsolete,
  watchVault,
} from './reserve-checks.ts';
import { flashBorrowFromReserve } from './reserve-liquidity.ts';
import { refreshReserveState } from './reserve-refresh.ts';
import { moveLiquidity } from './reserve-transfers.ts';
import { checkTokenExtensions } from './token-extensions.ts';

/** Lends without collateral what a later instruction of the transaction repays. No limit but the liquidity applies. */
export const flashBorrowReserveLiquidity = anchorInstruction(
  flashBorrow,
  22_000,
  ({ invocation, accounts, args }) => {
    const { market, reserve, mint, userAccount, authority } = checkFlashAccounts(accounts);
    const { liquidityAmount: amount } = args;
    const { mintPubkey, supplyVault } = reserve.data.liquidity;
    checkNoReserveEmergency(reserve);
    checkNotVault(accounts.userLiquidity, supplyVault);
    checkVersion(reserve);
    ensure(!isObsolete(reserve), LENDING.reserveObsolete);
    ensure(reserve.config.fees.flashLoanFeeSf !== U64_MAX, LENDING.flashLoansDisabled);
    checkTokenExtensions(mint, userAccount);
    const checkVault = watchVault(accounts.reserveLiquiditySupply, reserve);
    checkFlashBorrow(invocation, amount);

    refreshReserveState(reserve, invocation.clock, market);
    flashBorrowFromReserve(reserve, amount);
    reserve.lastUpdate.stale = true;
    reserve.save();
    moveLiquidity(
      invocation,
      {
        tokenProgram: accounts.tokenProgram.address,
        source: supplyVault,
        destination: accounts.userLiquidity.address,
        owner: authority,
        amount,
      },
      mintPubkey,
      mint.decimals,
      [authority],
    );
    checkVault(-amount);
  },
);
