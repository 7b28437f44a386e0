import { repayV1, repayV2 } from '@sluice/protocol/klend/action-instructions';
import { INSTRUCTIONS_SYSVAR } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { ANCHOR_ERRORS, type CallOf, ensure } from '../anchor.ts';
import {
  checkAddress,
  checkHasOne,
  checkTokenProgram,
  loadMint,
  loadTokenAccount,
} from '../anchor-accounts.ts';
import { bothVersions } from './both-versions.ts';
import { LENDING } from './lending-errors.ts';
import { loadMarket } from './market.ts';
import { ObligationState } from './obligation-state.ts';
import { repay } from './repay.ts';
import { checkNotVault, checkOpenForExit, watchVault } from './reserve-checks.ts';
import { ReserveState } from './reserve-state.ts';
import { moveLiquidity } from './reserve-transfers.ts';
import { checkTokenExtensions } from './token-extensions.ts';

type Call = CallOf<typeof repayV1>;

/** A transaction that calls this program cannot repay. */
const RESTRICTED_PROGRAM = 'jupr81YtYssSyPt8jbnGuiWon5f6x9TcDEFxYe3Bdzi' as Address;
/** The instruction itself, without its calls to other programs. */
const UNITS = 38_000;

/** Anybody can repay: `owner` is the owner of the tokens. */
export const [repayObligationLiquidity, repayObligationLiquidityV2] = bothVersions({
  v1: repayV1,
  v2: repayV2,
  units: UNITS,
  kind: 'debt',
  check: checkRepayment,
  run: runRepayment,
  farmed: (accounts) => ({ ...accounts, reserve: accounts.repayReserve }),
});

type Checked = ReturnType<typeof checkRepayment>;

/** The framework's checks of the accounts. */
export function checkRepayment({
  invocation: { transaction },
  accounts,
}: Pick<Call, 'invocation' | 'accounts'>) {
  const obligation = ObligationState.load(accounts.obligation);
  const market = loadMarket(accounts.lendingMarket);
  const reserve = ReserveState.load(accounts.repayReserve);
  const { liquidity, lendingMarket } = reserve.data;
  checkTokenProgram(accounts.tokenProgram);
  checkHasOne(obligation.data.lendingMarket, accounts.lendingMarket);
  ensure(obligation.data.lendingMarket === lendingMarket, ANCHOR_ERRORS.constraintRaw);
  checkAddress(accounts.reserveLiquidityMint, liquidity.mintPubkey);
  const mint = loadMint(accounts.reserveLiquidityMint, accounts.tokenProgram.address);
  checkAddress(accounts.reserveDestinationLiquidity, liquidity.supplyVault);
  const source = loadTokenAccount(accounts.userSourceLiquidity, { mint: liquidity.mintPubkey });
  checkAddress(accounts.instructionSysvarAccount, INSTRUCTIONS_SYSVAR);
  const isRestricted = transaction.instructions.some((each) => each.programAddress === RESTRICTED_PROGRAM);
  ensure(!isRestricted, LENDING.transactionIncludesRestrictedPrograms);
  return { obligation, market, reserve, mint, source };
}

export function runRepayment(
  { invocation, accounts, args, remaining }: Call,
  { obligation, market, reserve, mint, source }: Checked,
): void {
  const { liquidityAmount: amount } = args;
  const { mintPubkey, supplyVault } = reserve.data.liquidity;
  checkNotVault(accounts.userSourceLiquidity, supplyVault);
  checkOpenForExit(reserve);
  checkTokenExtensions(mint, source);
  const checkVault = watchVault(accounts.reserveDestinationLiquidity, reserve);
  const paid = repay(
    { market, clock: invocation.clock, obligation, reserve, depositReserves: remaining },
    amount,
  );
  reserve.save();
  obligation.save();
  invocation.log(`Repaid ${paid} base units`);
  moveLiquidity(
    invocation,
    {
      tokenProgram: accounts.tokenProgram.address,
      source: accounts.userSourceLiquidity.address,
      destination: accounts.reserveDestinationLiquidity.address,
      owner: accounts.owner.address,
      amount: paid,
    },
    mintPubkey,
    mint.decimals,
  );
  checkVault(paid);
}
