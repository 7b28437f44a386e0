import type { Address } from '@solana/kit';
import { stake, withdrawUnstakedDeposits } from '../../programs/farms/instructions.ts';
import { harvestReward } from '../../programs/farms/reward-instructions.ts';
import type { VaultChange } from './events.ts';
import { reading } from './readings.ts';
import type { Action, Changes, Scene } from './scene.ts';

/** Farms and rewards that are no vault's (a reserve's, another product's) give nothing, and that is as it should be. */
const FOREIGN: Changes = { vault: [] };

/**
 * Stakes of vault shares, and rewards that are paid in shares. Shares count as unstaked when they come back to the wallet: `unstake` alone moves nothing and
 * leaves them with the farm.
 */
export const FARM_ACTIONS: readonly Action[] = [
  reading(stake, ({ accounts }, scene: Scene) =>
    moved('stake', accounts, scene.flows.sent(accounts.userAta, accounts.farmVault), scene),
  ),
  reading(withdrawUnstakedDeposits, ({ accounts }, scene: Scene) =>
    moved('unstake', accounts, scene.flows.received(accounts.farmVault, accounts.userAta), scene),
  ),
  reading(harvestReward, ({ accounts }, scene: Scene) => {
    const vault = scene.lookups.vaultOfShares(accounts.rewardMint);
    if (vault === null) return FOREIGN;
    const shares = scene.flows.received(accounts.rewardsVault, accounts.userRewardTokenAccount);
    const wallet = scene.accounts.ownerOf(accounts.userRewardTokenAccount) ?? accounts.payer;
    return shares === 0n ? {} : { vault: [change('transferIn', vault, wallet, shares)] };
  }),
];

interface StakeAccounts {
  readonly owner: Address;
  readonly farmState: Address;
  readonly userAta: Address;
}

function moved(
  kind: 'stake' | 'unstake',
  { owner, farmState, userAta }: StakeAccounts,
  shares: bigint,
  { accounts, lookups }: Scene,
): Changes {
  const mint = accounts.mintOf(userAta);
  const vault = lookups.vaultOfFarm(farmState) ?? (mint === null ? null : lookups.vaultOfShares(mint));
  if (vault === null) return FOREIGN;
  if (shares === 0n) return {};
  return { vault: [change(kind, vault, owner, shares)] };
}

function change(kind: VaultChange['kind'], vault: Address, wallet: Address, shares: bigint): VaultChange {
  return { kind, vault, wallet, tokens: null, shares, reserve: null, reserveTokens: 0n, counterparty: null };
}
