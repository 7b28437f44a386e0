import type { Allocation, FarmUser, Obligation, Reserve, Reward, Vault, Wallet } from './model.ts';

/** What one transaction did, with the amounts that the programs worked out. */
export type Act =
  | VaultDepositAct
  | VaultWithdrawAct
  | StakeAct
  | UnstakeAct
  | ShareTransferAct
  | InvestAct
  | ClaimAct
  | LendAct
  | LiquidationAct
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

/** A keeper put idle tokens of a vault into one of its reserves. */
export interface InvestAct {
  readonly kind: 'invest';
  readonly vault: Vault;
  readonly allocation: Allocation;
  readonly liquidity: bigint;
  readonly ctokens: bigint;
}

/** A staker took what one reward had earned. */
export interface ClaimAct {
  readonly kind: 'claim';
  readonly user: FarmUser;
  readonly reward: Reward;
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
  /** Of a borrow, to the fee vault; a referrer's part is in the debt too, but moves no tokens. */
  readonly fee: bigint;
  /** The obligation's reserves before the action, in the order of its slots. */
  readonly deposits: readonly Reserve[];
  readonly borrows: readonly Reserve[];
  /** The group that it acted in. */
  readonly group: number;
  /** It left nothing in the obligation, which the program then closes. */
  readonly closes: boolean;
  readonly setup: LendSetup;
}

/** Somebody else repaid a part of an unhealthy debt and took collateral for it. */
export interface LiquidationAct {
  readonly kind: 'liquidation';
  readonly obligation: Obligation;
  readonly debt: Reserve;
  readonly collateral: Reserve;
  readonly repaid: bigint;
  readonly ctokens: bigint;
  /** What the collateral was redeemed for, the protocol's fee included. */
  readonly liquidity: bigint;
  readonly fee: bigint;
  /** The obligation's reserves before, in the order of its slots. */
  readonly deposits: readonly Reserve[];
  readonly borrows: readonly Reserve[];
}

/** An obligation that was opened and left empty. */
export interface InitAct {
  readonly kind: 'init';
  readonly obligation: Obligation;
  readonly metadata: boolean;
}
