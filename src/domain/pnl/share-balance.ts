import type { VaultEvent } from '@sluice/protocol/transactions/events';

/** Shares of one wallet in one vault, base units. */
export interface ShareBalance {
  /** In the vault's farm. */
  readonly staked: bigint;
  readonly unstaked: bigint;
}

export const NO_SHARES: ShareBalance = { staked: 0n, unstaked: 0n };

/** The balance after an event of the same wallet and vault. Staking moves shares between the two parts of the balance. */
export function afterEvent(
  { staked, unstaked }: ShareBalance,
  { kind, shares }: Pick<VaultEvent, 'kind' | 'shares'>,
): ShareBalance {
  switch (kind) {
    case 'deposit':
    case 'transferIn':
      return { staked, unstaked: unstaked + shares };
    case 'withdraw':
    case 'transferOut':
      return { staked, unstaked: unstaked - shares };
    case 'stake':
      return { staked: staked + shares, unstaked: unstaked - shares };
    case 'unstake':
      return { staked: staked - shares, unstaked: unstaked + shares };
    case 'invest':
      return { staked, unstaked };
  }
}
