import type { depositAndWithdraw, repayAndWithdraw } from '@sluice/protocol/klend/position-instructions';
import { type CallOf, ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { LENDING } from './lending-errors.ts';

type Accounts = CallOf<typeof repayAndWithdraw>['accounts'] | CallOf<typeof depositAndWithdraw>['accounts'];

type WithdrawnHalf = {
  readonly [K in Extract<keyof Accounts, `withdraw${string}`>]: Accounts[K];
};

/** The second half by the names of the withdrawal. */
export function withdrawnAccounts(accounts: WithdrawnHalf) {
  return {
    owner: accounts.withdrawOwner,
    obligation: accounts.withdrawObligation,
    lendingMarket: accounts.withdrawLendingMarket,
    lendingMarketAuthority: accounts.withdrawLendingMarketAuthority,
    withdrawReserve: accounts.withdrawReserve,
    reserveLiquidityMint: accounts.withdrawReserveLiquidityMint,
    reserveSourceCollateral: accounts.withdrawReserveSourceCollateral,
    reserveCollateralMint: accounts.withdrawReserveCollateralMint,
    reserveLiquiditySupply: accounts.withdrawReserveLiquiditySupply,
    userDestinationLiquidity: accounts.withdrawUserDestinationLiquidity,
    placeholderUserDestinationCollateral: accounts.withdrawPlaceholderUserDestinationCollateral,
    collateralTokenProgram: accounts.withdrawCollateralTokenProgram,
    liquidityTokenProgram: accounts.withdrawLiquidityTokenProgram,
    instructionSysvarAccount: accounts.withdrawInstructionSysvarAccount,
  };
}

/** Both halves must act on one obligation. */
export function checkHalves(
  first: Pick<Accounts, 'owner' | 'obligation' | 'lendingMarket'>,
  second: Pick<ReturnType<typeof withdrawnAccounts>, 'owner' | 'obligation' | 'lendingMarket'>,
): void {
  checkSame(first.owner, second.owner, LENDING.obligationOwnersMustMatch);
  checkSame(first.obligation, second.obligation, LENDING.obligationsMustMatch);
  checkSame(first.lendingMarket, second.lendingMarket, LENDING.lendingMarketsMustMatch);
}

function checkSame(first: InstructionAccount, second: InstructionAccount, error: number): void {
  ensure(first.address === second.address, error);
}
