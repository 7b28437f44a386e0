import { marketAuthority } from '@sluice/protocol/klend/addresses';
import { withdrawReferrerFees } from '@sluice/protocol/klend/referrer-instructions';
import { placePoint } from '@sluice/protocol/numeric/decimal';
import type { Moment } from '../../domain/moment.ts';
import { type CodedError, SluiceError } from '../../errors/sluice-error.ts';
import {
  type ActionOptions,
  type BuiltAction,
  type BuiltInstruction,
  instruction,
} from '../built-instruction.ts';
import { refreshOfReserve } from '../lending/refresh.ts';
import { closesWrappedSol, createTokenAccount, unwrapSol } from '../token-instructions.ts';
import type { FeeClaimAccounts, ReserveFees } from './claim-accounts.ts';
import { feeRefusal } from './claim-refusals.ts';

/** The reserves that a claim is paid by: the program would refuse the others now. */
export const paidFees = ({ fees }: FeeClaimAccounts, moment: Moment): ReserveFees[] =>
  fees.filter((each) => feeRefusal(each, moment) === null);

/**
 * Claims the fees of every reserve that pays now: a refresh of the reserve, then the withdrawal, both in one transaction.
 *
 * @throws NOTHING_TO_CLAIM
 * @example
 * buildFeeClaim(feeClaimAccounts(request, read, at), at.moment);
 */
export function buildFeeClaim(
  accounts: FeeClaimAccounts,
  moment: Moment,
  { unwrapSol: unwrap }: ActionOptions = {},
): BuiltAction {
  const paid = paidFees(accounts, moment);
  if (paid.length === 0) throw nothingToClaim(accounts, moment);
  const { wallet } = accounts.request;
  const sol = paid.find(({ isSol }) => isSol)?.token;
  const closes = sol !== undefined && closesWrappedSol('in', sol, unwrap);
  return {
    // Fees have several mints, so there is no one amount.
    amount: 0n,
    all: true,
    wrappedSol: sol === undefined ? null : closes ? 'closed' : 'open',
    // A claim from one reserve does not depend on others.
    divisible: true,
    instructions: [
      ...missingTokenAccounts(accounts, paid),
      ...paid.flatMap((each) => claimFrom(accounts, each)),
      ...(closes ? [unwrapSol(wallet, sol.address)] : []),
    ],
  };
}

function nothingToClaim({ request, fees }: FeeClaimAccounts, moment: Moment): CodedError {
  const [first, ...others] = fees;
  const refusal = first && others.length === 0 ? feeRefusal(first, moment) : null;
  const [blocked] = fees.flatMap((each) => {
    const found = each.claimable > 0n ? feeRefusal(each, moment) : null;
    return found === null ? [] : [found];
  });
  const { reason } = refusal ?? blocked ?? { reason: 'no reserve owes the wallet a whole base unit of fees' };
  return new SluiceError('NOTHING_TO_CLAIM', { wallet: request.wallet, reason });
}

function missingTokenAccounts(
  { request, payer }: FeeClaimAccounts,
  paid: readonly ReserveFees[],
): BuiltInstruction[] {
  const missing = new Map(
    paid.filter(({ token }) => token.account === null).map((each) => [each.token.address, each] as const),
  );
  return [...missing].map(([address, { reserve, tokenProgram, symbol }]) =>
    createTokenAccount(
      { wallet: request.wallet, payer },
      address,
      reserve.liquidity.mintPubkey,
      tokenProgram,
      symbol,
    ),
  );
}

function claimFrom({ request, fresh }: FeeClaimAccounts, fees: ReserveFees): BuiltInstruction[] {
  const { reserveAddress, reserve, claimable, symbol } = fees;
  const { klend } = request.programs;
  const { mintPubkey, mintDecimals, supplyVault } = reserve.liquidity;
  const withdrawal = instruction(
    withdrawReferrerFees,
    klend,
    {
      referrer: request.wallet,
      referrerTokenState: fees.stateAddress,
      reserve: reserveAddress,
      reserveLiquidityMint: mintPubkey,
      reserveSupplyLiquidity: supplyVault,
      referrerTokenAccount: fees.token.address,
      lendingMarket: reserve.lendingMarket,
      lendingMarketAuthority: marketAuthority(klend, reserve.lendingMarket).address,
      tokenProgram: fees.tokenProgram,
    },
    {},
    {
      summary: `Claim ${placePoint(claimable, Number(mintDecimals))} ${symbol} of referral fees`,
    },
  );
  if (fresh.has(reserveAddress)) return [withdrawal];
  const refresh = refreshOfReserve(klend, reserveAddress, reserve);
  return [{ ...refresh, withNext: true }, withdrawal];
}
