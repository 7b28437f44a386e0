import type { Address } from '@solana/kit';
import type { Rational } from '../numeric/rational.ts';
import type { BuildWarning } from './warnings.ts';

/** A figure before and after an action; null where it cannot be told, or does not apply on that side. */
export interface Change {
  readonly before: Rational | null;
  readonly after: Rational | null;
}

/** What an action costs beside its amount. */
export interface PreviewFee {
  readonly kind: 'ORIGINATION' | 'WITHDRAWAL_PENALTY' | 'CRANK';
  readonly mint: Address;
  readonly decimals: number;
  /** Base units of the mint. */
  readonly amount: bigint;
}

/** What an action does to a position; figures that an action has nothing to do with are null. */
export interface Preview {
  readonly healthFactor: Change | null;
  readonly loanToValue: Change | null;
  readonly borrowLimitUsd: Change | null;
  readonly netValueUsd: Change | null;
  /** Of the reserve, or of the vault after its fees; a fraction per year, rewards not counted. */
  readonly supplyApy: Change | null;
  readonly borrowApy: Change | null;
  readonly utilization: Change | null;
  /** Shares of a vault that the wallet holds, whole units. */
  readonly shares: Change | null;
  /** Whole tokens of the position that is acted on: the deposit, the debt, or what the shares are worth. */
  readonly tokens: Change | null;
  /** What could still be borrowed against the collateral. */
  readonly maxBorrowUsd: Change | null;
  readonly fees: readonly PreviewFee[];
  readonly warnings: readonly BuildWarning[];
}

/** Both sides of a figure by the same function; null when there is nothing to look at on either. */
export function change<S>(before: S | null, after: S | null, figure: (side: S) => Rational | null): Change {
  return { before: before && figure(before), after: after && figure(after) };
}
