import type { Address } from '@solana/kit';
import type { Rational } from '../numeric/rational.ts';
import type { BuildWarning } from './warnings.ts';

/** A value before and after an action; null where it is unknown or does not apply. */
export interface Change {
  readonly before: Rational | null;
  readonly after: Rational | null;
}

/** A fee in addition to the amount. */
export interface PreviewFee {
  readonly kind: 'ORIGINATION' | 'WITHDRAWAL_PENALTY' | 'CRANK';
  readonly mint: Address;
  readonly decimals: number;
  /** Base units of the mint. */
  readonly amount: bigint;
}

/** The effect of an action on a position; values that the action does not affect are null. */
export interface Preview {
  readonly healthFactor: Change | null;
  readonly loanToValue: Change | null;
  readonly borrowLimitUsd: Change | null;
  readonly netValueUsd: Change | null;
  /** Yearly fraction of the reserve, or of the vault after its fees; excludes rewards. */
  readonly supplyApy: Change | null;
  readonly borrowApy: Change | null;
  readonly utilization: Change | null;
  /** Shares of a vault that the wallet holds, whole units. */
  readonly shares: Change | null;
  /** Whole tokens of the position acted on: the deposit, the debt, or the value of the shares. */
  readonly tokens: Change | null;
  /** Remaining borrowing power of the collateral. */
  readonly maxBorrowUsd: Change | null;
  readonly fees: readonly PreviewFee[];
  readonly warnings: readonly BuildWarning[];
}

/** Applies `figure` to both sides; null for a missing side. */
export function change<S>(before: S | null, after: S | null, figure: (side: S) => Rational | null): Change {
  return { before: before && figure(before), after: after && figure(after) };
}
