import type { Allocation, Obligation, Reserve, Vault, Wallet } from './model.ts';

/** What one transaction did, with the amounts that the programs worked out. */
export type Act =
  | VaultDepositAct
  | VaultWithdrawAct
  | StakeAct
  | UnstakeAct
  | ShareTransferAct
  | LendAct
  | InitAct;

export interface VaultDepositAct {
  readonly kind: 'vaultDeposit';
  readonly vault: Vault;
  readonly maxAmount: bigint;
  /** Taken for shares; the crank's part comes on top. */
  readonly tokens: bigint;
  readonly crankFunds: bigint;
  readonly shares: bigint;
  /** Whether all shares of the wallet are staked at once, how many that is, and whether the stake is its first. */
  readonly stake: { readonly amount: bigint; readonly first: boolean } | null;
}

export interface VaultWithdrawAct {
  readonly kind: 'vaultWithdraw';
  readonly vault: Vault;
  readonly shares: bigint;
  /** To the wallet. */
  readonly tokens: bigint;
  /** Where the rest came from when the idle tokens did not do. */
  readonly from: {
    readonly allocation: Allocation;
    readonly ctokens: bigint;
    readonly liquidity: bigint;
  } | null;
  /** Shares that left the farm first; 0 for none. */
  readonly unstaked: bigint;
}

export interface StakeAct {
  readonly kind: 'stake';
  readonly vault: Vault;
  readonly amount: bigint;
  readonly first: boolean;
}

export interface UnstakeAct {
  readonly kind: 'unstake';
  readonly vault: Vault;
  readonly amount: bigint;
}

export interface ShareTransferAct {
  readonly kind: 'shareTransfer';
  readonly vault: Vault;
  readonly to: Wallet;
  readonly amount: bigint;
}

/** The accounts that the transaction has to create first. */
export interface LendSetup {
  readonly metadata: boolean;
  readonly obligation: boolean;
  readonly farm: boolean;
  readonly referrer: boolean;
  /** Group to enter; 0 for none. */
  readonly group: number;
}

export type LendOperation = 'deposit' | 'withdraw' | 'borrow' | 'repay';

export interface LendAct {
  readonly kind: 'lend';
  readonly operation: LendOperation;
  readonly obligation: Obligation;
  readonly reserve: Reserve;
  /** As the instruction says it. */
  readonly argument: bigint;
  /** Between the wallet and the reserve. */
  readonly liquidity: bigint;
  readonly ctokens: bigint;
  /** Of a borrow, to the fee vault. */
  readonly fee: bigint;
  /** The obligation's reserves before the action, in the order of its slots. */
  readonly deposits: readonly Reserve[];
  readonly borrows: readonly Reserve[];
  /** The group that it acted in. */
  readonly group: number;
  readonly setup: LendSetup;
}

/** An obligation that was opened and left empty. */
export interface InitAct {
  readonly kind: 'init';
  readonly obligation: Obligation;
  readonly metadata: boolean;
}
