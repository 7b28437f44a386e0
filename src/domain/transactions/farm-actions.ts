import type { Address } from '@solana/kit';
import { stake, withdrawUnstakedDeposits } from '../../programs/farms/instructions.ts';
import { harvestReward } from '../../programs/farms/reward-instructions.ts';
import type { Action, CallContext, Changes } from './call-context.ts';
import type { VaultChange } from './events.ts';
import { instructionReader } from './instruction-reader.ts';

/** No events, and no problem: the farm or reward does not belong to a vault. */
const FOREIGN: Changes = { vault: [] };

/**
 * Stakes of vault shares, and rewards paid in shares. Shares count as unstaked once they return to the wallet: `unstake`
 * itself moves nothing and leaves them in the farm.
 */
export const FARM_ACTIONS: readonly Action[] = [
  instructionReader(stake, ({ accounts }, context: CallContext) =>
    moved('stake', accounts, context.flows.sent(accounts.userAta, accounts.farmVault), context),
  ),
  instructionReader(withdrawUnstakedDeposits, ({ accounts }, context: CallContext) =>
    moved('unstake', accounts, context.flows.received(accounts.farmVault, accounts.userAta), context),
  ),
  instructionReader(harvestReward, ({ accounts }, context: CallContext) => {
    const vault = context.lookups.vaultOfShares(accounts.rewardMint);
    if (vault === null) return FOREIGN;
    const shares = context.flows.received(accounts.rewardsVault, accounts.userRewardTokenAccount);
    const wallet = context.accounts.ownerOf(accounts.userRewardTokenAccount) ?? accounts.payer;
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
  { accounts, lookups }: CallContext,
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
