import type { Address } from '@solana/kit';
import { stake, unstake, withdrawUnstakedDeposits } from '../farms/instructions.ts';
import { harvestReward } from '../farms/reward-instructions.ts';
import { WAD } from '../numeric/fraction.ts';
import type { Action, CallContext, Changes } from './call-context.ts';
import type { FarmChange, VaultChange } from './events.ts';
import { FARM_MANAGEMENT } from './farm-management.ts';
import { instructionReader } from './instruction-reader.ts';

/** The argument of an unstake of everything. */
const U128_MAX = 2n ** 128n - 1n;

/**
 * Transactions of all farms. Those with vault shares, and rewards paid in shares, are events of the vault too. Shares
 * count as unstaked once they return to the wallet: `unstake` itself moves nothing and leaves them in the farm.
 */
export const FARM_ACTIONS: readonly Action[] = [
  ...FARM_MANAGEMENT,
  instructionReader(stake, ({ accounts }, context: CallContext) => {
    const amount = context.flows.sent(accounts.userAta, accounts.farmVault);
    const { owner: wallet, farmState: farm, tokenMint } = accounts;
    const mint = context.accounts.mintOf(accounts.userAta) ?? tokenMint;
    return moved('stake', { kind: 'stake', farm, wallet, mint, amount }, amount, context);
  }),
  instructionReader(unstake, ({ accounts, args }) => {
    const { stakeSharesScaled: scaled } = args;
    const amount = scaled === U128_MAX ? null : scaled / WAD;
    const { owner: wallet, farmState: farm } = accounts;
    return { farm: [{ kind: 'unstake', farm, wallet, mint: null, amount }] };
  }),
  instructionReader(withdrawUnstakedDeposits, ({ accounts }, context: CallContext) => {
    const amount = context.flows.received(accounts.farmVault, accounts.userAta);
    const { owner: wallet, farmState: farm } = accounts;
    const mint = context.accounts.mintOf(accounts.userAta);
    return moved('unstake', { kind: 'withdraw', farm, wallet, mint, amount }, amount, context);
  }),
  instructionReader(harvestReward, ({ accounts }, context: CallContext) => {
    const { farmState: farm, rewardMint: mint } = accounts;
    const amount = context.flows.received(accounts.rewardsVault, accounts.userRewardTokenAccount);
    const wallet = context.accounts.ownerOf(accounts.userRewardTokenAccount) ?? accounts.payer;
    const vault = context.lookups.vaultOfShares(mint);
    // A reward that has accrued nothing can be harvested too.
    if (amount === 0n) return vault === null ? { farm: [] } : {};
    return {
      farm: [{ kind: 'harvest', farm, wallet, mint, amount }],
      ...(vault === null ? {} : { vault: [change('transferIn', vault, wallet, amount)] }),
    };
  }),
];

/** `amount` is that of the farm's change. */
function moved(
  kind: 'stake' | 'unstake',
  farmChange: FarmChange,
  amount: bigint,
  { lookups }: CallContext,
): Changes {
  const { farm, wallet, mint } = farmChange;
  const vault = lookups.vaultOfFarm(farm) ?? (mint === null ? null : lookups.vaultOfShares(mint));
  if (amount === 0n) return vault === null ? { farm: [] } : {};
  return { farm: [farmChange], ...(vault === null ? {} : { vault: [change(kind, vault, wallet, amount)] }) };
}

function change(kind: VaultChange['kind'], vault: Address, wallet: Address, shares: bigint): VaultChange {
  return { kind, vault, wallet, tokens: null, shares, reserve: null, reserveTokens: 0n, counterparty: null };
}
