import type { Address } from '@solana/kit';
import type { PlainStruct } from '../layout/plain.ts';

/** Position of an event in the chain's history; signature and index identify it. */
export interface EventPosition {
  readonly signature: string;
  readonly slot: bigint;
  /** Unix seconds. */
  readonly time: number;
  /** Index among the events of its transaction, from 0. */
  readonly index: number;
}

export type VaultEventKind =
  | 'deposit'
  | 'withdraw'
  | 'transferIn'
  | 'transferOut'
  | 'stake'
  | 'unstake'
  | 'invest';

/** A change of a vault or its shares. Amounts are base units and non-negative unless stated otherwise. */
export interface VaultChange {
  readonly kind: VaultEventKind;
  readonly vault: Address;
  /** The wallet whose shares changed; for an invest, the payer of the transaction. */
  readonly wallet: Address;
  /**
   * Tokens that the wallet paid or received; for an invest, the tokens moved. Null where no tokens of the vault moved
   * (transfers, stakes, redemption in kind): value such shares at the share price of the moment.
   */
  readonly tokens: bigint | null;
  /** Minted, burnt, transferred or staked; 0 for an invest. */
  readonly shares: bigint;
  /** The reserve that exchanged tokens with the vault: for an invest, and for a withdrawal beyond the idle tokens. */
  readonly reserve: Address | null;
  /** Tokens moved from the vault into that reserve; negative for the reverse. */
  readonly reserveTokens: bigint;
  /** The other wallet of a transfer; null when the owner burnt the shares. */
  readonly counterparty: Address | null;
}

export type VaultEvent = VaultChange & EventPosition;

/** A vault event with its cause. */
export interface CausedVaultEvent extends VaultChange, EventPosition {
  /** Name of the instruction in the interface of the vault or farms program; `transfer` for those of a token program. */
  readonly instruction: string;
}

export type LendingEventKind = 'deposit' | 'withdraw' | 'borrow' | 'repay' | 'liquidation';

/** The borrow order that a borrow has filled, as the program recorded it. */
export interface FilledOrder {
  /** Unix seconds. */
  readonly placedAt: bigint;
  /** Base units that were still to be borrowed afterwards; 0 when the order was filled completely. */
  readonly left: bigint;
}

/** A change of one side of an obligation. A liquidation has two: debt repaid and collateral seized. */
export interface LendingChange {
  readonly kind: LendingEventKind;
  readonly side: 'collateral' | 'debt';
  readonly obligation: Address;
  readonly market: Address;
  readonly reserve: Address;
  /** Owner of the obligation. Null for a liquidation, repayment or rollover when the lookups do not know it. */
  readonly owner: Address | null;
  /** The owner, the payer of a repayment, the liquidator, or the wallet that filled an order or rolled a debt over. */
  readonly signer: Address;
  /**
   * Liquidity exchanged between signer and reserve, base units; for a borrow, the amount received. Null where collateral
   * tokens moved without redemption: value them at the reserve's exchange rate of the moment.
   */
  readonly liquidity: bigint | null;
  /** Collateral tokens, base units; 0 on the debt side. */
  readonly collateral: bigint;
  /** Base units: for a borrow, the debt beyond the amount received; for a liquidation, the liquidator's protocol fee. */
  readonly fee: bigint;
  /** Absent for a borrow that filled no order, and where the program recorded none. */
  readonly order?: FilledOrder;
}

export type LendingEvent = LendingChange & EventPosition;

/** A lending event with its cause. */
export interface CausedLendingEvent extends LendingChange, EventPosition {
  /** Name of the instruction in the program's interface. A combined instruction has two events, as has a rollover. */
  readonly instruction: string;
}

export type StakerEventKind = 'stake' | 'unstake' | 'withdraw' | 'harvest';

export type FarmEventKind = StakerEventKind | 'manage';

/** What an instruction of a farm's administration has done. */
export interface FarmManagement {
  /** Name of the instruction in the program's interface. */
  readonly instruction: string;
  /** Place of the reward that it was for; null for none, and for a reward that it has set up. */
  readonly rewardIndex: number | null;
  /** The setting that was changed, by its name in the program; null for another instruction, and an unknown setting. */
  readonly configMode: string | null;
  /** Arguments by name. Integers of 64 bits are text. */
  readonly details: PlainStruct;
}

/** A wallet's transaction with a farm. Stakes that a lending market sets for its positions are not listed. */
export interface FarmChange {
  /** An `unstake` only starts the cooldown; a `withdraw` returns the tokens. `manage` is one of the administration. */
  readonly kind: FarmEventKind;
  readonly farm: Address;
  /** The staker; for `manage`, the signer. */
  readonly wallet: Address;
  /**
   * The token moved. Null for an unstake, which does not name it: the one that the farm stakes. Null for `manage` where the
   * instruction names none: the one of its reward, if it is for one.
   */
  readonly mint: Address | null;
  /** Base units. Null for an unstake of everything, which does not name an amount, and for `manage` without one. */
  readonly amount: bigint | null;
  /** For `manage`. */
  readonly management?: FarmManagement;
}

/** `index` counts the farm events of the transaction only. */
export type FarmEvent = FarmChange & EventPosition;

export type AllocationEventKind = 'setAllocation' | 'removeAllocation' | 'setUnallocated';

/** A change of a vault's target allocation. It moves no tokens. */
export interface AllocationChange {
  /** `setUnallocated` sets the weight or the cap of what stays in the vault. */
  readonly kind: AllocationEventKind;
  readonly vault: Address;
  /** The admin of the vault or of its allocations. */
  readonly signer: Address;
  /** Null for what stays in the vault. */
  readonly reserve: Address | null;
  /** Null where the instruction does not set it; so are both caps. 0 for a removal. */
  readonly weight: bigint | null;
  /** Base units of the vault's token; the largest u64 is no cap. */
  readonly cap: bigint | null;
  /** Base units of collateral tokens; 0 and the largest u64 are no cap. */
  readonly collateralCap: bigint | null;
}

/** `index` counts the allocation events of the transaction only. */
export type AllocationEvent = AllocationChange & EventPosition;

export type QueueEventKind = 'enqueue' | 'withdraw' | 'cancel' | 'recover';

/** An instruction on a ticket of a reserve's withdraw queue. Amounts are base units. */
export interface QueueChange {
  readonly kind: QueueEventKind;
  readonly ticket: Address;
  readonly reserve: Address;
  readonly market: Address;
  /** Owner of the ticket. */
  readonly wallet: Address;
  /** The owner, the payer of a payment or recovery, or the wallet whose redemption from a vault entered the queue. */
  readonly signer: Address;
  /** Collateral tokens that entered or left the ticket. 0 for a `withdraw` that closed an empty ticket or skipped an invalid one. */
  readonly collateral: bigint;
  /** Liquidity paid to the owner. Null for the other kinds, which move collateral tokens only. */
  readonly liquidity: bigint | null;
  /** The obligation that the collateral tokens of an `enqueue` left in the same transaction. Null for none. */
  readonly obligation: Address | null;
  /** The vault that paid the collateral tokens of an `enqueue` in the same transaction, or that owns the ticket. Null for none. */
  readonly vault: Address | null;
}

/** `index` counts the events of withdraw queues in the transaction only. */
export type QueueEvent = QueueChange & EventPosition;

/** Why part of a transaction produced no event. */
export type EventProblem =
  | {
      readonly kind: 'malformed';
      readonly program: Address;
      readonly instruction: string;
      readonly reason: string;
    }
  | { readonly kind: 'unrecognised'; readonly program: Address; readonly discriminator: string }
  | { readonly kind: 'nothingMoved'; readonly program: Address; readonly instruction: string }
  | { readonly kind: 'ownerUnknown'; readonly account: Address }
  | { readonly kind: 'ownerChanged'; readonly account: Address };

export interface TransactionEvents {
  readonly vaultEvents: readonly CausedVaultEvent[];
  readonly lendingEvents: readonly CausedLendingEvent[];
  readonly farmEvents: readonly FarmEvent[];
  readonly allocationEvents: readonly AllocationEvent[];
  readonly queueEvents: readonly QueueEvent[];
  readonly problems: readonly EventProblem[];
}

/** Context that a transaction does not contain. Each lookup returns null for unknown. */
export interface EventLookups {
  vaultOfShares(mint: Address): Address | null;
  vaultOfFarm(farm: Address): Address | null;
  ownerOfObligation(obligation: Address): Address | null;
  /** The referrer's share of a market's origination fees, which stays in the reserve and moves no tokens. */
  referralFeeBps(market: Address): number | null;
}
