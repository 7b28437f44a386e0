import { repayV2 } from '@sluice/protocol/klend/action-instructions';
import type { ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import { FRACTION_ONE, fromScaledFraction, U64_MAX } from '@sluice/protocol/numeric/fraction';
import { greater, lesser } from '@sluice/protocol/numeric/integer';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { AccruedReserve } from '../../domain/accrued-reserve.ts';
import { earlyRepayPenalty } from '../../domain/early-repay.ts';
import type { Moment } from '../../domain/moment.ts';
import { activeBorrows, debtAmount } from '../../domain/obligation.ts';
import { unitsWithin } from '../../domain/rate-basis.ts';
import { debtGrowthSf, refreshReserve } from '../../domain/refreshed-reserve.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { Amount } from '../amount.ts';
import {
  type ActionOptions,
  type BuiltAction,
  type BuiltInstruction,
  instruction,
} from '../built-instruction.ts';
import { closesWrappedSol, createTokenAccount, unwrapSol, wrapSol } from '../token-instructions.ts';
import type { LendingAccounts } from './accounts.ts';
import { groupReserves, lendingRefresh } from './refresh.ts';
import { lendingSetup } from './setup.ts';
import { inWords, sharedAccounts } from './terms.ts';

/**
 * Seconds of interest that a full repayment of SOL must cover: a blockhash lives for 150 slots, a minute or less, and
 * signing may take as long.
 */
const MARGIN_SECONDS = 150n;
/** The least lamports wrapped beyond the debt, the same as in the official SDK: the rate can rise before landing. */
const MIN_MARGIN_LAMPORTS = 1_000_000n;

/** Growth of a debt until a transaction that is built at a moment has landed. */
export function growthInMargin(accrued: AccruedReserve, moment: Moment, seconds = MARGIN_SECONDS): Rational {
  return fromScaledFraction(debtGrowthSf(accrued, unitsWithin(accrued.account.config, seconds, moment)));
}

/** Lamports to wrap for paying a debt in full: interest accrues until the transaction lands. */
export function lamportsWithMargin(accrued: AccruedReserve, owed: Rational, moment: Moment): bigint {
  return greater(owed.mul(growthInMargin(accrued, moment)).ceil(), owed.floor() + MIN_MARGIN_LAMPORTS);
}

/** The debt to repay. */
export function repaidDebt({ request, obligation, obligationAddress }: LendingAccounts): ObligationLiquidity {
  const debt = obligation && activeBorrows(obligation).find((each) => each.borrowReserve === request.reserve);
  if (!debt) {
    const context = { obligation: obligationAddress, reserve: request.reserve, side: 'debt' } as const;
    throw new SluiceError('KLEND_POSITION_NOT_FOUND', context);
  }
  return debt;
}

/**
 * Lamports to wrap for a repayment of SOL. The penalty of an early one falls with the time that remains of the term, so
 * that of the grown debt today is an upper bound.
 */
export function lamportsToRepay(accounts: LendingAccounts, asked: Amount, moment: Moment): bigint {
  const accrued = refreshReserve(accounts.reserve, moment, accounts.market);
  const debt = repaidDebt(accounts);
  const owed = debtAmount(debt, accrued);
  const most = lamportsWithMargin(accrued, owed, moment);
  const settled = asked === 'all' ? most : lesser(asked, most);
  const penalty = earlyRepayPenalty(accrued, debt, settled * FRACTION_ONE);
  return lesser((asked === 'all' ? most : asked) + penalty, U64_MAX);
}

/**
 * Repays a debt. "All" is the whole debt with interest up to execution.
 *
 * @example
 * buildLendingRepay(lendingAccounts(request, read, slot), 'all', moment);
 */
export function buildLendingRepay(
  accounts: LendingAccounts,
  asked: Amount,
  moment: Moment,
  { unwrapSol: unwrap }: ActionOptions = {},
): BuiltAction {
  const { request, reserve, token, tokenProgram, market, isSol } = accounts;
  const accrued = refreshReserve(reserve, moment, market);
  const owed = debtAmount(repaidDebt(accounts), accrued);
  const closes = isSol && closesWrappedSol('out', token, unwrap);
  return {
    amount: asked === 'all' ? owed.ceil() : asked,
    all: asked === 'all',
    wrappedSol: isSol ? (closes ? 'closed' : 'open') : null,
    instructions: [
      ...(isSol ? [wrappedSolAccount(accounts)] : []),
      ...lendingSetup(accounts),
      ...(isSol ? wrapSol(request.wallet, token.address, lamportsToRepay(accounts, asked, moment)) : []),
      ...lendingRefresh(accounts),
      instruction(
        repayV2,
        request.programs.klend,
        {
          ...sharedAccounts(accounts),
          repayReserve: request.reserve,
          reserveLiquidityMint: reserve.liquidity.mintPubkey,
          reserveDestinationLiquidity: reserve.liquidity.supplyVault,
          userSourceLiquidity: token.address,
          tokenProgram,
        },
        { liquidityAmount: asked === 'all' ? U64_MAX : asked },
        { summary: `Repay ${inWords(asked, accounts)}`, remaining: groupReserves(accounts) },
      ),
      ...(closes ? [unwrapSol(request.wallet, token.address)] : []),
    ],
  };
}

function wrappedSolAccount(accounts: LendingAccounts): BuiltInstruction {
  const { request, payer, reserve, token, tokenProgram, symbol } = accounts;
  const { mintPubkey } = reserve.liquidity;
  return createTokenAccount(
    { wallet: request.wallet, payer },
    token.address,
    mintPubkey,
    tokenProgram,
    symbol,
  );
}
