import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { BuildWarning } from './warnings.ts';

/** A value before and after an action; null where it is unknown or does not apply. */
export interface Change {
  readonly before: Rational | null;
  readonly after: Rational | null;
}

/** A fee in addition to the amount. */
export interface PreviewFee {
  readonly kind: 'ORIGINATION' | 'EARLY_REPAY_PENALTY' | 'FLASH_LOAN' | 'WITHDRAWAL_PENALTY' | 'CRANK';
  readonly mint: Address;
  readonly decimals: number;
  /** Base units of the mint. */
  readonly amount: bigint;
}

/** A reward that an action pays to the wallet. */
export interface PreviewReward {
  readonly farm: Address;
  readonly mint: Address;
  readonly decimals: number;
  /** Base units of the mint, after the program's cut. */
  readonly amount: bigint;
}

/** An amount that a wallet gains, or pays when negative. Base units of the mint. */
export interface WalletChange {
  readonly mint: Address;
  readonly decimals: number;
  readonly amount: bigint;
}

/** A leveraged position when the swap pays no more than its minimum; null where a value is unknown or does not apply. */
export interface WorstCase {
  readonly healthFactor: Rational | null;
  readonly loanToValue: Rational | null;
  readonly netValueUsd: Rational | null;
  readonly leverage: Rational | null;
  readonly netApy: Rational | null;
  readonly liquidationPriceUsd: Rational | null;
  /** Value that the swap loses, at the prices of the oracle; negative for a gain. */
  readonly swapLossUsd: Rational | null;
  /** Collateral token, then debt token. */
  readonly walletChanges: readonly WalletChange[];
}

/** An amount of a mint. */
export interface PreviewAmount {
  readonly mint: Address;
  readonly decimals: number;
  /** Base units of the mint. */
  readonly amount: bigint;
}

/** Payment and receipts of a liquidator, and the two positions that the liquidation changes. */
export interface LiquidationFigures {
  /** Fraction of the repaid value, before the protocol's fee. */
  readonly bonus: Rational;
  readonly repaid: PreviewAmount;
  /** Tokens of the collateral, after the protocol's fee. */
  readonly received: PreviewAmount;
  /** Collateral tokens that the liquidator keeps because the reserve cannot redeem them now; null for none. */
  readonly collateralTokens: PreviewAmount | null;
  readonly protocolFee: PreviewAmount;
  /** Whole tokens of the obligation's deposit. */
  readonly collateral: Change;
  /** Whole tokens of the obligation's debt. */
  readonly debt: Change;
  /** Value received less value paid, at the prices of the program. Null when a price is unknown. */
  readonly profitUsd: Rational | null;
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
  /** Whole tokens of the debt, for an action that changes a deposit and a debt. */
  readonly debtTokens: Change | null;
  /** Remaining borrowing power of the collateral. */
  readonly maxBorrowUsd: Change | null;
  /** Staked shares of a vault, whole units. */
  readonly stakedShares: Change | null;
  /** Shares of a vault in the wallet's own account, whole units. */
  readonly unstakedShares: Change | null;
  /** Number of the obligation's elevation group; 0 for none. */
  readonly elevationGroup: Change | null;
  /** Highest loan-to-value up to which the obligation may borrow, as a fraction. */
  readonly maxLtv: Change | null;
  /** Loan-to-value at which the obligation can be liquidated, as a fraction. */
  readonly liquidationLtv: Change | null;
  readonly rewards: readonly PreviewReward[];
  /** Deposits / net value. */
  readonly leverage: Change | null;
  /** Yearly fraction of the net value that the position earns; excludes rewards. */
  readonly netApy: Change | null;
  /** Price of the collateral at which the position can be liquidated. */
  readonly liquidationPriceUsd: Change | null;
  readonly worstCase: WorstCase | null;
  /** Null when the action is no liquidation, or the program would refuse it. */
  readonly liquidation: LiquidationFigures | null;
  readonly fees: readonly PreviewFee[];
  readonly warnings: readonly BuildWarning[];
}

/** A preview without any figure; an action states those that it affects. */
export const NO_FIGURES: Preview = {
  healthFactor: null,
  loanToValue: null,
  borrowLimitUsd: null,
  netValueUsd: null,
  supplyApy: null,
  borrowApy: null,
  utilization: null,
  shares: null,
  tokens: null,
  debtTokens: null,
  maxBorrowUsd: null,
  stakedShares: null,
  unstakedShares: null,
  elevationGroup: null,
  maxLtv: null,
  liquidationLtv: null,
  rewards: [],
  leverage: null,
  netApy: null,
  liquidationPriceUsd: null,
  worstCase: null,
  liquidation: null,
  fees: [],
  warnings: [],
};

/** Applies `figure` to both sides; null for a missing side. */
export function change<S>(before: S | null, after: S | null, figure: (side: S) => Rational | null): Change {
  return { before: before && figure(before), after: after && figure(after) };
}
