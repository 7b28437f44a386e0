import type { borrowedFromAccounts } from '@sluice/protocol/klend/action-accounts';
import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { INSTRUCTIONS_SYSVAR, MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Mint } from '@sluice/protocol/token/mint';
import type { TokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { load, type NamedAccounts } from '../anchor.ts';
import {
  checkAddress,
  checkHasOne,
  checkTokenProgram,
  loadMint,
  loadTokenAccount,
} from '../anchor-accounts.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { customError } from '../instruction-error.ts';
import type { Invocation } from '../program.ts';
import { borrow } from './borrow.ts';
import type { BorrowAsk } from './borrow-size.ts';
import { LENDING } from './lending-errors.ts';
import { checkMarketAuthority, loadMarket } from './market.ts';
import { ObligationState } from './obligation-state.ts';
import { checkPermission } from './permission.ts';
import { checkReferrerAccount } from './referrer-fees.ts';
import { checkNotVault, checkOpenForEntry, watchVault } from './reserve-checks.ts';
import { ReserveState } from './reserve-state.ts';
import { moveLiquidity } from './reserve-transfers.ts';
import { checkTokenExtensions } from './token-extensions.ts';

const { klend } = MAINNET_PROGRAMS;

/** Accounts of a borrow after its signer, who is the owner or fills the owner's order. */
export type BorrowedFrom = NamedAccounts<typeof borrowedFromAccounts>;

export interface CheckedBorrow {
  readonly obligation: ObligationState;
  readonly market: LendingMarket;
  readonly reserve: ReserveState;
  readonly mint: Mint;
  readonly destination: TokenAccount;
  readonly authority: Address;
}

/**
 * The framework's checks of a borrow's accounts.
 *
 * @param owner the signer who must own the obligation; null when anyone may sign
 */
export function checkBorrowedFrom(accounts: BorrowedFrom, owner: InstructionAccount | null): CheckedBorrow {
  const obligation = ObligationState.load(accounts.obligation);
  const market = loadMarket(accounts.lendingMarket);
  const reserve = ReserveState.load(accounts.borrowReserve);
  const { liquidity, lendingMarket } = reserve.data;
  if (accounts.referrerTokenState !== null) load(accounts.referrerTokenState, referrerTokenState, klend);
  checkTokenProgram(accounts.tokenProgram);
  checkHasOne(obligation.data.lendingMarket, accounts.lendingMarket);
  if (owner !== null) checkHasOne(obligation.data.owner, owner, LENDING.invalidObligationOwner);
  const authority = checkMarketAuthority(accounts.lendingMarketAuthority, accounts.lendingMarket);
  checkHasOne(lendingMarket, accounts.lendingMarket);
  checkAddress(accounts.borrowReserveLiquidityMint, liquidity.mintPubkey);
  const mint = loadMint(accounts.borrowReserveLiquidityMint, accounts.tokenProgram.address);
  checkAddress(accounts.reserveSourceLiquidity, liquidity.supplyVault);
  checkAddress(accounts.borrowReserveLiquidityFeeReceiver, liquidity.feeVault);
  const destination = loadTokenAccount(accounts.userDestinationLiquidity, {
    mint: loadTokenAccount(accounts.reserveSourceLiquidity).mint,
    authority: obligation.data.owner,
  });
  loadTokenAccount(accounts.borrowReserveLiquidityFeeReceiver);
  checkAddress(accounts.instructionSysvarAccount, INSTRUCTIONS_SYSVAR);
  return { obligation, market, reserve, mint, destination, authority };
}

/** Borrows and pays. Returns the base units that the owner receives. */
export function borrowAndPay(
  invocation: Invocation,
  accounts: BorrowedFrom,
  { obligation, market, reserve, mint, destination, authority }: CheckedBorrow,
  remaining: readonly InstructionAccount[],
  ask: BorrowAsk,
): bigint {
  checkNotVault(accounts.userDestinationLiquidity, reserve.data.liquidity.supplyVault);
  checkOpenForEntry(reserve);
  checkTokenExtensions(mint, destination);
  const depositReserves = checkPermission(market, [reserve], 'borrow', remaining);
  const referrer = referrerOf(obligation, reserve, accounts.referrerTokenState);
  const checkVault = watchVault(accounts.reserveSourceLiquidity, reserve);
  const { clock } = invocation;
  const context = { market, clock, obligation, reserve, referrer, depositReserves };
  const { received, fee } = borrow(context, ask);
  reserve.save();
  obligation.save();
  invocation.log(`Borrowed ${received} base units, fee ${fee}`);

  const pay = (to: InstructionAccount, paid: bigint) =>
    moveLiquidity(
      invocation,
      {
        tokenProgram: accounts.tokenProgram.address,
        source: accounts.reserveSourceLiquidity.address,
        destination: to.address,
        owner: authority,
        amount: paid,
      },
      reserve.data.liquidity.mintPubkey,
      mint.decimals,
      [authority],
    );
  if (fee > 0n) pay(accounts.borrowReserveLiquidityFeeReceiver, fee);
  pay(accounts.userDestinationLiquidity, received);
  checkVault(-(received + fee));
  return received;
}

function referrerOf(
  obligation: ObligationState,
  reserve: ReserveState,
  account: InstructionAccount | null,
): InstructionAccount | null {
  if (!obligation.hasReferrer) return null;
  if (account === null) throw customError(LENDING.referrerAccountMissing);
  checkReferrerAccount(account, obligation.data.referrer, reserve);
  return account;
}
