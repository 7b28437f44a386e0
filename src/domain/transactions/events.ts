import type { Address } from '@solana/kit';

/** Where an event stands in the history of the chain; signature and index name it for good. */
export interface EventPlace {
  readonly signature: string;
  readonly slot: bigint;
  /** Unix seconds. */
  readonly time: number;
  /** Place among the events of its transaction, from 0. */
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

/** Something that happened to a vault or to its shares. Amounts are base units and never negative but where said. */
export interface VaultChange {
  readonly kind: VaultEventKind;
  readonly vault: Address;
  /** Whose shares changed; of an invest, who paid for the transaction. */
  readonly wallet: Address;
  /**
   * Tokens that the wallet gave or got; of an invest, those that moved. Null where no tokens of the vault changed hands
   * (transfers, stakes, redemption in kind): such shares are worth what the vault's share price says at that moment.
   */
  readonly tokens: bigint | null;
  /** Minted, burnt, moved or staked; 0 of an invest. */
  readonly shares: bigint;
  /** The reserve that tokens went to or came from: of an invest, and of a withdrawal beyond the idle tokens. */
  readonly reserve: Address | null;
  /** Tokens that went from the vault into that reserve; negative for those that came back. */
  readonly reserveTokens: bigint;
  /** The other wallet of a transfer; null when shares were burnt by their owner. */
  readonly counterparty: Address | null;
}

export type VaultEvent = VaultChange & EventPlace;

export type LendingEventKind = 'deposit' | 'withdraw' | 'borrow' | 'repay' | 'liquidation';

/** One change of one side of an obligation. A liquidation is two of them: debt that went and collateral that was taken. */
export interface LendingChange {
  readonly kind: LendingEventKind;
  readonly side: 'collateral' | 'debt';
  readonly obligation: Address;
  readonly market: Address;
  readonly reserve: Address;
  /** Of the obligation. Null when neither the instruction nor the caller knows: of a liquidation, and of a repayment. */
  readonly owner: Address | null;
  /** Who signed: the owner, whoever repaid for them, or the liquidator. */
  readonly signer: Address;
  /**
   * Liquidity between the signer and the reserve, base units; of a borrow what was received. Null where collateral tokens
   * moved unredeemed: they are worth what the reserve's exchange rate says at that moment.
   */
  readonly liquidity: bigint | null;
  /** Collateral tokens, base units; 0 on the side of debt. */
  readonly collateral: bigint;
  /** Base units: what a borrow added to the debt beyond what was received; what a liquidator paid on to the protocol. */
  readonly fee: bigint;
}

export type LendingEvent = LendingChange & EventPlace;

/** Why something in a transaction gave no event. */
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
  readonly vaultEvents: readonly VaultEvent[];
  readonly lendingEvents: readonly LendingEvent[];
  readonly problems: readonly EventProblem[];
}

/** What a transaction does not tell by itself. Each answers null for what it does not know. */
export interface EventLookups {
  vaultOfShares(mint: Address): Address | null;
  vaultOfFarm(farm: Address): Address | null;
  ownerOfObligation(obligation: Address): Address | null;
  /** The referrers' part of a market's origination fees, which stays in the reserve and moves no tokens. */
  referralFeeBps(market: Address): number | null;
}
