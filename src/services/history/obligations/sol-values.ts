import { roundParts } from '@sluice/protocol/numeric/decimal';
import { type Rational, sum } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { toTokens } from '../../../domain/arithmetic.ts';
import type { BorrowPosition, DepositPosition, Positions } from '../../../domain/obligation.ts';
import type { ObligationStats } from '../../../domain/obligation-stats.ts';
import { inSol } from '../../../domain/price.ts';

/** USD per SOL, and when it was recorded. */
export interface SolPrice {
  readonly usd: Rational;
  readonly at: Date;
}

/** The value of an obligation in SOL. */
export interface SolValues {
  readonly collateral: Rational;
  readonly debt: Rational;
  /** Collateral minus debt. */
  readonly net: Rational;
  readonly price: SolPrice;
}

/** The token of a reserve, for its value by stake rate. */
export interface StakedToken {
  readonly decimals: bigint | number;
  /** SOL per whole token; null unless it is a liquid-staking token. */
  readonly stakeRateSol: Rational | null;
}

/**
 * Values by USD prices or, with `staked`, liquid-staking tokens by their stake rate and other tokens by USD prices. Null
 * when a value is unknown.
 */
export function solValues(
  positions: Positions,
  stats: ObligationStats,
  price: SolPrice | null,
  staked: ((reserve: Address) => StakedToken | null) | null,
): SolValues | null {
  if (price === null) return null;
  const ofAll = (list: readonly (DepositPosition | BorrowPosition)[], totalUsd: Rational) =>
    staked === null ? inSol(totalUsd, price.usd) : sumInSol(list, price.usd, staked);
  const deposited = ofAll(positions.deposits, stats.userTotalDeposit);
  const owed = ofAll(positions.borrows, stats.userTotalBorrow);
  if (deposited === null || owed === null) return null;
  const [collateral, debt] = roundParts([deposited, owed] as const);
  return { collateral, debt, net: collateral.sub(debt), price };
}

function sumInSol(
  list: readonly (DepositPosition | BorrowPosition)[],
  solUsd: Rational,
  staked: (reserve: Address) => StakedToken | null,
): Rational | null {
  const values: Rational[] = [];
  for (const { reserve, amount, valueUsd } of list) {
    const token = staked(reserve);
    const rate = token?.stakeRateSol ?? null;
    const value =
      token === null || rate === null || amount === null
        ? inSol(valueUsd, solUsd)
        : toTokens(amount, token.decimals).mul(rate);
    if (value === null) return null;
    values.push(value);
  }
  return sum(values);
}
