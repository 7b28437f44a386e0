import type { Address } from '@solana/kit';
import { lend } from './lending-engine.ts';
import type { Obligation, Reserve, Wallet } from './model.ts';
import { addWallet, createWallet, walletAddress } from './wallets.ts';
import type { World } from './world.ts';
import type { WorldPlan } from './world-plan.ts';

/** Wallets that supply what an example needs and do nothing else, so they are not among the world's wallets, which act. */

/** Days ago: after all reserves were supplied. */
export const SUPPLIED_DAYS_AGO = 300;

export const quietWallet = ({ seed }: World, label: string): Address => walletAddress(seed, label);

export function addQuietWallet(world: World, label: string): Wallet {
  const created = createWallet(quietWallet(world, label), {
    cell: 0,
    referrer: null,
    lookupTable: null,
    reserved: true,
  });
  addWallet(world.store, created);
  world.quietWallets.push(created);
  return created;
}

export function planSupply(
  world: World,
  plan: WorldPlan,
  obligation: Obligation,
  reserve: Reserve,
  usd: number,
): void {
  const units = plan.units(reserve.token, usd);
  plan.add(SUPPLIED_DAYS_AGO, (slot) => lend(world, obligation, reserve, units, slot));
}
