import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { LiquidationReason } from '../domain/liquidation-reason.ts';
import type { TriggerPrice } from '../domain/order-outlook.ts';
import type { OwnershipTransfer } from '../domain/ownership-transfer.ts';
import type { RolloverTerms } from '../domain/rollover-terms.ts';
import type { VaultSettingName } from './curator/setting-names.ts';
import type { DebtTermFigures } from './debt-term-figures.ts';
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

/** Fees of a reserve that an action pays to a referrer. */
export interface PreviewReferralFee {
  readonly reserve: Address;
  readonly mint: Address;
  readonly decimals: number;
  /** Base units of the mint. */
  readonly amount: bigint;
  /** What the reserve owes the referrer, whole tokens. */
  readonly unclaimed: Change;
}

/** Accounts that an action opens for a referrer. */
export interface ReferrerFigures {
  readonly referrer: Address;
  /** Whether the action registers the wallet with the lending program. */
  readonly registers: boolean;
  /** Reserves in which the referrer gets an account for its fees. */
  readonly reserves: readonly Address[];
  /** SOL that the fee payer deposits as rent. */
  readonly rent: PreviewAmount;
}

/** An amount that a wallet gains, or pays when negative. Base units of the mint. */
export interface WalletChange {
  readonly mint: Address;
  readonly decimals: number;
  readonly amount: bigint;
}

/** A deposit or a debt that an action changes, by itself or together with another one. */
export interface PreviewPosition {
  readonly reserve: Address;
  readonly mint: Address;
  readonly side: 'DEPOSIT' | 'DEBT';
  /** Whole tokens; 0 for no position. */
  readonly tokens: Change;
  /** Supply or borrow APY of the reserve as a yearly fraction; excludes rewards. */
  readonly interestApy: Change;
  /** Price of the token at which the obligation can be liquidated, all other prices unchanged. */
  readonly liquidationPriceUsd: Change;
}

/** A position when the swap pays no more than its minimum; null where a value is unknown or does not apply. */
export interface WorstCase {
  readonly healthFactor: Rational | null;
  readonly loanToValue: Rational | null;
  readonly netValueUsd: Rational | null;
  readonly leverage: Rational | null;
  readonly netApy: Rational | null;
  readonly liquidationPriceUsd: Rational | null;
  /** Value that the swap loses, at the prices of the oracle; negative for a gain. */
  readonly swapLossUsd: Rational | null;
  /** Collateral token, then debt token; the old token, then the new one for a swap of a debt or a deposit. */
  readonly walletChanges: readonly WalletChange[];
}

/** The quote of a swap that the caller did not supply. */
export interface QuoteFigures {
  readonly router: Address;
  readonly sold: PreviewAmount;
  /** At the price of the quote. */
  readonly expected: PreviewAmount;
  /** Least that the swap pays; it fails otherwise. */
  readonly guaranteed: PreviewAmount;
  /** Fraction of the expected amount. */
  readonly slippage: Rational;
  /** Part of the value that is lost at the price of the quote and the prices of the oracle; negative for a gain. */
  readonly priceImpact: Rational;
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
  readonly reason: LiquidationReason;
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

/** State of a withdraw ticket after an action that leaves it open. */
export type TicketStateAfter = 'QUEUED' | 'CANCELLED' | 'INVALID';

/** The ticket of an action on a withdraw queue. */
export interface QueueFigures {
  readonly ticket: Address;
  /** Number of the ticket in the queue of its reserve. */
  readonly sequenceNumber: bigint;
  readonly owner: Address;
  /** Token account to which the ticket is paid. */
  readonly destination: Address;
  /** Tickets that are paid before it when the action runs; null once its turn is over. */
  readonly ticketsAhead: bigint | null;
  /** Null when the action closes the ticket. */
  readonly state: TicketStateAfter | null;
  /** Collateral tokens in the ticket, whole tokens. */
  readonly collateral: Change;
  /** Value of these, in whole tokens of the reserve. */
  readonly tokens: Change;
  /** Liquidity that the action pays to the owner; null for none. */
  readonly paid: PreviewAmount | null;
  /** Collateral tokens that the action returns to the owner; null for none. */
  readonly returned: PreviewAmount | null;
  /** SOL that the wallet deposits as rent; null when the action issues no ticket. */
  readonly rent: PreviewAmount | null;
}

/** A reserve of a vault's strategy before and after an action; null while the vault does not use it. */
export interface PreviewAllocation {
  readonly reserve: Address;
  readonly weight: Change;
  /** Whole tokens; null for no cap. */
  readonly cap: Change;
  /** Whole collateral tokens; null for no cap. */
  readonly collateralCap: Change;
  /** Whole tokens that are invested. */
  readonly tokens: Change;
  /** Whole tokens towards which the vault invests. */
  readonly targetTokens: Change;
}

/** A setting of a vault that an action changes, in words; null for none. */
export interface PreviewSetting {
  readonly setting: VaultSettingName;
  readonly before: string | null;
  readonly after: string | null;
}

/** A vault before and after an action of the wallet that runs it. */
export interface VaultFigures {
  readonly vault: Address;
  readonly allocations: readonly PreviewAllocation[];
  /** Whole tokens that are not invested. */
  readonly idleTokens: Change;
  /** Whole tokens that no reserve is to get. */
  readonly targetIdleTokens: Change;
  /** Whole tokens that the vault owes its admin. */
  readonly pendingFees: Change;
  /** Whole tokens of rewards that are not released yet. */
  readonly rewardsAvailable: Change;
  readonly settings: readonly PreviewSetting[];
  /** Tokens that the wallet pays; null for none, as is the next. */
  readonly paid: PreviewAmount | null;
  readonly received: PreviewAmount | null;
  /** SOL for the rent of new accounts; null for none. */
  readonly rent: PreviewAmount | null;
}

/** An order of an obligation before and after an action on it, in sentences; null for no order. */
export interface OrderFigures {
  /** 0 or 1. */
  readonly index: number;
  readonly before: string | null;
  readonly after: string | null;
  /** What would trigger the new order; null without one. */
  readonly outlook: string | null;
  /** Whether the condition of the new order holds now; null when that is unknown, and without an order. */
  readonly isMet: boolean | null;
  /** Price of each collateral at which the new order triggers. */
  readonly prices: readonly TriggerPrice[];
}

/** A borrow order before and after an action on it, in sentences; null for no order. */
export interface BorrowOrderFigures {
  /** 0 to 2. */
  readonly index: number;
  readonly before: string | null;
  readonly after: string | null;
  /** What is still to be borrowed, whole tokens; 0 without an order. */
  readonly remaining: Change;
  /** What a fill pays to the owner; null for other actions. */
  readonly received: PreviewAmount | null;
  /** Reserves whose terms the order accepts; empty once there is no order. */
  readonly reserves: readonly Address[];
}

/** The owner of an obligation, and a transfer to another wallet, before and after a step of one; null for no transfer. */
export interface OwnershipFigures {
  readonly obligation: Address;
  readonly ownerBefore: Address;
  readonly ownerAfter: Address;
  readonly before: OwnershipTransfer | null;
  readonly after: OwnershipTransfer | null;
}

/** Terms on which anyone may roll a debt over, before and after a change of them or a rollover. Times are Unix seconds. */
export interface RolloverFigures {
  /** Reserve of the debt, after a rollover. */
  readonly reserve: Address;
  readonly market: Address;
  readonly termsBefore: RolloverTerms;
  readonly termsAfter: RolloverTerms;
  /** End of the term of the debt; null without a term. */
  readonly endsAt: bigint | null;
  /** Null when nobody may roll the debt over. */
  readonly rolloverFrom: bigint | null;
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
  readonly referralFees: readonly PreviewReferralFee[];
  /** Null when the action opens no account for a referrer and names none. */
  readonly referrer: ReferrerFigures | null;
  /** Deposits / net value. */
  readonly leverage: Change | null;
  /** Yearly fraction of the net value that the position earns; excludes rewards. */
  readonly netApy: Change | null;
  /** Price of the collateral at which the position can be liquidated. */
  readonly liquidationPriceUsd: Change | null;
  /**
   * The two positions that an action changes: the old one, then the new one of a swap of a debt or a deposit; the debt, then
   * the deposit of a repayment with a withdrawal; the debt in its reserve, then in the new one of a rollover, or only the
   * first where they are one. Empty for other actions.
   */
  readonly positions: readonly PreviewPosition[];
  /** What the wallet pays, then receives, of a repayment with a withdrawal; empty for other actions. */
  readonly walletChanges: readonly WalletChange[];
  readonly worstCase: WorstCase | null;
  /** Null when the action needs no swap, or the caller supplied it. */
  readonly quote: QuoteFigures | null;
  /** Null when the action is no liquidation, or the program would refuse it. */
  readonly liquidation: LiquidationFigures | null;
  /** Null when the action is not on a withdraw queue. */
  readonly queue: QueueFigures | null;
  /** Null when the action is not on an order. */
  readonly order: OrderFigures | null;
  /** Null when the action is not on a borrow order. */
  readonly borrowOrder: BorrowOrderFigures | null;
  /** Null when the action leaves no debt with an end, and for actions that neither borrow nor roll over. */
  readonly debtTerm: DebtTermFigures | null;
  /** Null when the action neither changes the rollover settings of a debt nor rolls one over. */
  readonly rollover: RolloverFigures | null;
  /** Null when the action is no step of a transfer of an obligation. */
  readonly ownership: OwnershipFigures | null;
  /** Null when the action is none of the wallet that runs a vault. */
  readonly vault: VaultFigures | null;
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
  referralFees: [],
  referrer: null,
  leverage: null,
  netApy: null,
  liquidationPriceUsd: null,
  positions: [],
  walletChanges: [],
  worstCase: null,
  quote: null,
  liquidation: null,
  queue: null,
  order: null,
  borrowOrder: null,
  debtTerm: null,
  rollover: null,
  ownership: null,
  vault: null,
  fees: [],
  warnings: [],
};

/** Applies `figure` to both sides; null for a missing side. */
export function change<S>(before: S | null, after: S | null, figure: (side: S) => Rational | null): Change {
  return { before: before && figure(before), after: after && figure(after) };
}
