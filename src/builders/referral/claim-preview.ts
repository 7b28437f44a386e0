import { fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer } from '@sluice/protocol/numeric/rational';
import { toTokens } from '../../domain/arithmetic.ts';
import type { Moment } from '../../domain/moment.ts';
import type { BuiltAction } from '../built-instruction.ts';
import { priceAtRefresh } from '../lending/accounts.ts';
import { priceWarnings } from '../lending/warnings.ts';
import { NO_FIGURES, type Preview, type PreviewReferralFee } from '../preview.ts';
import { wrappedSolWarnings } from '../wallet-warnings.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import type { FeeClaimAccounts, ReserveFees } from './claim-accounts.ts';
import { paidFees } from './claim-fees.ts';
import { feeRefusal, refusalSentence } from './claim-refusals.ts';

/** The fees that the referrer receives. */
export function feeClaimPreview(accounts: FeeClaimAccounts, built: BuiltAction, moment: Moment): Preview {
  const paid = paidFees(accounts, moment);
  const sol = paid.find(({ isSol }) => isSol)?.token;
  return {
    ...NO_FIGURES,
    referralFees: paid.map(paidFee),
    warnings: [
      ...leftOut(accounts, moment),
      ...paid.flatMap((each) => stalePrice(each, moment)),
      ...(sol === undefined
        ? []
        : wrappedSolWarnings(sol, built.wrappedSol, 'The fees stay wrapped SOL in the wallet.')),
    ],
  };
}

function paidFee({ reserveAddress, reserve, state, claimable }: ReserveFees): PreviewReferralFee {
  const { mintPubkey: mint, mintDecimals } = reserve.liquidity;
  const before = fromScaledFraction(state?.amountUnclaimedSf ?? 0n);
  return {
    reserve: reserveAddress,
    mint,
    decimals: Number(mintDecimals),
    amount: claimable,
    unclaimed: {
      before: toTokens(before, mintDecimals),
      after: toTokens(before.sub(integer(claimable)), mintDecimals),
    },
  };
}

/** Reserves that owe something and cannot pay it now; of named ones, also those that owe nothing. */
function leftOut({ request, fees }: FeeClaimAccounts, moment: Moment): BuildWarning[] {
  return fees.flatMap((each) => {
    const refusal = feeRefusal(each, moment);
    const owes = (each.state?.amountUnclaimedSf ?? 0n) > 0n;
    return refusal === null || !(owes || request.named)
      ? []
      : [warning('REFERRAL_FEE_LEFT_OUT', refusalSentence(refusal))];
  });
}

function stalePrice(fees: ReserveFees, moment: Moment): BuildWarning[] {
  const { market, oracles, reserveAddress, reserve, symbolOf } = fees;
  const price = priceAtRefresh(fees, reserve, moment.timestamp);
  if (price === null) {
    return [
      warning('PRICE_UNKNOWN', `The ${fees.symbol} reserve has no price, without which it pays no fees.`),
    ];
  }
  const reserves = new Map([[reserveAddress, reserve]]);
  return priceWarnings({ market, oracles, reserves, symbolOf }, true, true, moment);
}
