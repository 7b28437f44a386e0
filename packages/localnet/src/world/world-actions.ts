import type { Allocation, FarmUser, Obligation, Reserve, Reward, Vault, Wallet } from './model.ts';

/** Record of one transaction, with the amounts computed by the programs. */
export type WorldAction =
  | VaultDepositAction
  | VaultWithdrawAction
  | StakeAction
  | UnstakeAction
  | ShareTransferAction
  | InvestAction
  | ClaimAction
  | LendAction
  | LiquidationAction
  | InitAction;

export interface VaultDepositAction {
  readonly kind: 'vaultDeposit';
  readonly vault: Vault;
  readonly maxAmount: bigint;
  /** Paid for the shares; `crankFunds` are charged on top. */
  readonly tokens: bigint;
  readonly crankFunds: bigint;
  readonly shares: bigint;
  /**
   * Set when all shares of the wallet are staked in the same transaction; `first` when it opens the stake.
   */
  readonly stake: { readonly amount: bigint; readonly first: boolean } | null;
}

export interface VaultWithdrawAction {
  readonly kind: 'vaultWithdraw';
  readonly vault: Vault;
  /** The amount argument of the instruction. */
  readonly shares: bigint;
  /** The payment is rounded down; shares that it does not need stay with the wallet. */
  readonly burned: bigint;
  /** Paid to the wallet. */
  readonly tokens: bigint;
  /** The reserve that covered what the idle tokens did not; null when they sufficed. */
  readonly from: {
    readonly allocation: Allocation;
    readonly ctokens: bigint;
    readonly liquidity: bigint;
  } | null;
  /** Shares unstaked first; 0 for none. */
  readonly unstaked: bigint;
}

export interface StakeAction {
  readonly kind: 'stake';
  readonly vault: Vault;
  readonly amount: bigint;
  readonly first: boolean;
}

export interface UnstakeAction {
  readonly kind: 'unstake';
  readonly vault: Vault;
  readonly amount: bigint;
}

export interface ShareTransferAction {
  readonly kind: 'shareTransfer';
  readonly vault: Vault;
  readonly to: Wallet;
  readonly amount: bigint;
}

/** A keeper invested idle tokens of a vault in one of its reserves. */
export interface InvestAction {
  readonly kind: 'invest';
  readonly vault: Vault;
  readonly allocation: Allocation;
  readonly liquidity: bigint;
  readonly ctokens: bigint;
  /** A unit that the keeper pays when the vault's crank funds do not. */
  readonly roundingLoss: bigint;
}

/** A staker claimed one reward. */
export interface ClaimAction {
  readonly kind: 'claim';
  readonly user: FarmUser;
  readonly reward: Reward;
  readonly amount: bigint;
}

/** The accounts that the transaction creates first. */
export interface LendSetup {
  readonly metadata: boolean;
  readonly obligation: boolean;
  readonly farm: boolean;
  readonly referrer: boolean;
  /** Elevation group to enter; 0 for none. */
  readonly group: number;
}

export type LendOperation = 'deposit' | 'withdraw' | 'borrow' | 'repay';

/** The reserves of an obligation before the action, in slot order. */
interface ObligationReserves {
  readonly deposits: readonly Reserve[];
  readonly borrows: readonly Reserve[];
}

export interface LendAction extends ObligationReserves {
  readonly kind: 'lend';
  readonly operation: LendOperation;
  readonly obligation: Obligation;
  readonly reserve: Reserve;
  /** The amount argument of the instruction. */
  readonly argument: bigint;
  /** Moved between the wallet and the reserve. */
  readonly liquidity: bigint;
  readonly ctokens: bigint;
  /** Borrow fee paid to the fee vault. A referrer's share is added to the debt but moves no tokens. */
  readonly fee: bigint;
  /** The elevation group during the action. */
  readonly group: number;
  /** The action emptied the obligation, so the program closes it. */
  readonly closes: boolean;
  readonly setup: LendSetup;
}

/** A liquidator repaid part of an unhealthy debt and received collateral for it. */
export interface LiquidationAction extends ObligationReserves {
  readonly kind: 'liquidation';
  readonly obligation: Obligation;
  readonly debt: Reserve;
  readonly collateral: Reserve;
  /** The amount argument of the instruction. */
  readonly offered: bigint;
  readonly repaid: bigint;
  readonly ctokens: bigint;
  /** Tokens that the collateral was redeemed for, including the protocol's fee. */
  readonly liquidity: bigint;
  readonly fee: bigint;
}

/** An obligation that was opened and left empty. */
export interface InitAction {
  readonly kind: 'init';
  readonly obligation: Obligation;
  readonly metadata: boolean;
}
