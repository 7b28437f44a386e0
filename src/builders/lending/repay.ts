import { debtGrowth } from '../../domain/interest.ts';
import { activeBorrows, debtAmount } from '../../domain/obligation.ts';
import { refreshReserve } from '../../domain/refreshed-reserve.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { U64_MAX } from '../../numeric/fraction.ts';
import { repayV2 } from '../../programs/klend/action-instructions.ts';
import type { ObligationLiquidity } from '../../programs/klend/obligation.ts';
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

/** Slots of interest that a full repayment of SOL must cover: the 150 of a blockhash's lifetime, and as many to sign. */
export const MARGIN_SLOTS = 300n;
/** The least lamports wrapped beyond the debt, the same as in the official SDK: the rate can rise before landing. */
export const MIN_MARGIN_LAMPORTS = 1_000_000n;

/** The debt to repay. */
function repaidDebt({ request, obligation, obligationAddress }: LendingAccounts): ObligationLiquidity {
  const debt = obligation && activeBorrows(obligation).find((each) => each.borrowReserve === request.reserve);
  if (!debt) {
    const context = { obligation: obligationAddress, reserve: request.reserve, side: 'debt' } as const;
    throw new SluiceError('KLEND_POSITION_NOT_FOUND', context);
  }
  return debt;
}

/** Lamports to wrap for a repayment of SOL. A full one needs a margin: interest accrues until the transaction lands. */
export function lamportsToRepay(accounts: LendingAccounts, asked: Amount, slot: bigint): bigint {
  if (asked !== 'all') return asked;
  const accrued = refreshReserve(accounts.reserve, slot, accounts.market.referralFeeBps);
  const owed = debtAmount(repaidDebt(accounts), accrued);
  const later = owed.mul(debtGrowth(accrued, MARGIN_SLOTS)).ceil();
  const least = owed.floor() + MIN_MARGIN_LAMPORTS;
  return atMostU64(later > least ? later : least);
}

/** Repays a debt. "All" is the whole debt with interest up to execution. */
export function buildLendingRepay(
  accounts: LendingAccounts,
  asked: Amount,
  slot: bigint,
  { unwrapSol: unwrap }: ActionOptions = {},
): BuiltAction {
  const { request, reserve, token, tokenProgram, market, isSol } = accounts;
  const accrued = refreshReserve(reserve, slot, market.referralFeeBps);
  const owed = debtAmount(repaidDebt(accounts), accrued);
  const closes = isSol && closesWrappedSol('out', token, unwrap);
  return {
    amount: asked === 'all' ? owed.ceil() : asked,
    all: asked === 'all',
    wrappedSol: isSol ? (closes ? 'closed' : 'open') : null,
    instructions: [
      ...(isSol ? [wrappedSolAccount(accounts)] : []),
      ...lendingSetup(accounts),
      ...(isSol ? wrapSol(request.wallet, token.address, lamportsToRepay(accounts, asked, slot)) : []),
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

const atMostU64 = (value: bigint) => (value < U64_MAX ? value : U64_MAX);
