import { borrowV1, borrowV2 } from '@sluice/protocol/klend/action-instructions';
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
import type { InstructionAccount } from '../instruction-account.ts';
import { customError } from '../instruction-error.ts';
import { borrow } from './borrow.ts';
import { bothVersions } from './both-versions.ts';
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

type Call = CallOf<typeof borrowV1>;

/** The instruction itself, without its calls to other programs. */
const UNITS = 48_000;

export const [borrowObligationLiquidity, borrowObligationLiquidityV2] = bothVersions({
  v1: borrowV1,
  v2: borrowV2,
  units: UNITS,
  kind: 'debt',
  check: checkAccounts,
  run,
  farmed: (accounts) => ({ ...accounts, reserve: accounts.borrowReserve }),
});

type Checked = ReturnType<typeof checkAccounts>;

function checkAccounts({ accounts }: Call) {
  const obligation = ObligationState.load(accounts.obligation);
  const market = loadMarket(accounts.lendingMarket);
  const reserve = ReserveState.load(accounts.borrowReserve);
  const { liquidity, lendingMarket } = reserve.data;
  if (accounts.referrerTokenState !== null) load(accounts.referrerTokenState, referrerTokenState, klend);
  checkTokenProgram(accounts.tokenProgram);
  checkHasOne(obligation.data.lendingMarket, accounts.lendingMarket);
  checkHasOne(obligation.data.owner, accounts.owner, LENDING.invalidObligationOwner);
  const authority = checkMarketAuthority(accounts.lendingMarketAuthority, accounts.lendingMarket);
  checkHasOne(lendingMarket, accounts.lendingMarket);
  checkAddress(accounts.borrowReserveLiquidityMint, liquidity.mintPubkey);
  const mint = loadMint(accounts.borrowReserveLiquidityMint, accounts.tokenProgram.address);
  checkAddress(accounts.reserveSourceLiquidity, liquidity.supplyVault);
  checkAddress(accounts.borrowReserveLiquidityFeeReceiver, liquidity.feeVault);
  const destination = loadTokenAccount(accounts.userDestinationLiquidity, {
    mint: loadTokenAccount(accounts.reserveSourceLiquidity).mint,
    authority: accounts.owner.address,
  });
  loadTokenAccount(accounts.borrowReserveLiquidityFeeReceiver);
  checkAddress(accounts.instructionSysvarAccount, INSTRUCTIONS_SYSVAR);
  return { obligation, market, reserve, mint, destination, authority };
}

function run(
  { invocation, accounts, args, remaining }: Call,
  { obligation, market, reserve, mint, destination, authority }: Checked,
): void {
  const { liquidityAmount: amount } = args;
  checkNotVault(accounts.userDestinationLiquidity, reserve.data.liquidity.supplyVault);
  checkOpenForEntry(reserve);
  checkTokenExtensions(mint, destination);
  const depositReserves = checkPermission(market, [reserve], 'borrow', remaining);
  const referrer = referrerOf(obligation, reserve, accounts.referrerTokenState);
  const checkVault = watchVault(accounts.reserveSourceLiquidity, reserve);
  const { clock } = invocation;
  const context = { market, clock, obligation, reserve, referrer, depositReserves };
  const { received, fee } = borrow(context, amount);
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
