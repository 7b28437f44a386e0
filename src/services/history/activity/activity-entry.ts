import type { Address } from '@solana/kit';
import type { ActivityKey } from '../../../store/transactions/read-activity.ts';
import type { TokenAmount } from '../../tokens/amounts.ts';
import type {
  ActivityKind,
  FarmActivityKind,
  LendingActivityKind,
  QueueActivityKind,
  VaultActivityKind,
} from './activity-kinds.ts';

/** A part of an entry that is unknown. `TRANSACTION`: everything but its signature and slot. */
export type UnknownPart = 'TRANSACTION' | 'TOKEN' | 'AMOUNT' | 'USD' | 'SOL';

/** Facts of every entry. Amounts are positive, and null where nothing of the sort moved or its token is unknown. */
interface EntryFacts {
  readonly key: ActivityKey;
  readonly kind: ActivityKind;
  /** Null for a transaction that could not be read. */
  readonly createdAt: Date | null;
  /** False while the cluster may still drop the transaction. */
  readonly final: boolean;
  /** From the wallet to the program. */
  readonly sent: TokenAmount | null;
  /** From the program to the wallet. Rewards are apart. */
  readonly received: TokenAmount | null;
  readonly fee: TokenAmount | null;
  readonly reward: TokenAmount | null;
  readonly unknown: readonly UnknownPart[];
}

export interface VaultEntry extends EntryFacts {
  readonly product: 'VAULT';
  readonly kind: VaultActivityKind;
  readonly createdAt: Date;
  readonly vault: Address;
  /** Change of the wallet's shares, base units. */
  readonly sharesChange: bigint;
  /** Tokens moved, or the value of the shares moved; null when unknown. */
  readonly tokens: TokenAmount | null;
  readonly counterparty: Address | null;
}

export interface LendingEntry extends EntryFacts {
  readonly product: 'LENDING';
  readonly kind: LendingActivityKind;
  readonly createdAt: Date;
  readonly obligation: Address;
  readonly market: Address;
  readonly reserve: Address;
  readonly side: 'collateral' | 'debt';
  /** Tokens that the position changed by; null when the reserve cannot be read. */
  readonly amount: TokenAmount | null;
  /** The same in tokens of the reserve, also where collateral tokens moved; null when their rate is unknown, too. */
  readonly liquidity: TokenAmount | null;
  /** Change of the collateral tokens, base units. */
  readonly collateralChange: bigint;
  /** Change of the debt with fees, base units of the token. */
  readonly debtChange: bigint;
  readonly signer: Address;
}

export interface FarmEntry extends EntryFacts {
  readonly product: 'FARM';
  readonly kind: FarmActivityKind;
  readonly createdAt: Date;
  readonly farm: Address;
  /** Change of the active stake, base units; null for an unstake of everything. */
  readonly stakeChange: bigint | null;
  readonly mint: Address | null;
}

export interface QueueEntry extends EntryFacts {
  readonly product: 'WITHDRAW_QUEUE';
  readonly kind: QueueActivityKind;
  readonly createdAt: Date;
  readonly ticket: Address;
  readonly market: Address;
  readonly reserve: Address;
  /** The vault whose redemption entered the queue; null for none. */
  readonly vault: Address | null;
  /** Change of the collateral tokens of the ticket, base units. */
  readonly ticketChange: bigint;
  /** Value of the change in tokens of the reserve; null when the rate or the reserve is unknown. */
  readonly liquidity: TokenAmount | null;
  readonly signer: Address;
}

export interface UnreadEntry extends EntryFacts {
  readonly product: null;
  readonly kind: 'UNREAD';
  readonly createdAt: null;
  readonly reason: string;
}

export type ActivityEntry = VaultEntry | LendingEntry | FarmEntry | QueueEntry | UnreadEntry;
