import type { Address } from '@solana/kit';
import type { Obligation, Reserve, Wallet } from './model.ts';
import { addObligation } from './obligations.ts';
import { addWallet, createWallet, walletAddress } from './wallets.ts';
import type { World } from './world.ts';
import { HISTORY_DAYS, type WorldPlan } from './world-plan.ts';

/** Wallets that hold what an example needs and do nothing else, so they are not among the world's, which act. */

const LAMPORTS = 2_000_000_000n;

export const quietWallet = ({ seed }: World, label: string): Address => walletAddress(seed, label);

export function addQuietWallet(world: World, label: string): Wallet {
  const created = createWallet(quietWallet(world, label), {
    cell: 0,
    referrer: null,
    lookupTable: null,
    reserved: true,
  });
  created.lamports = LAMPORTS;
  addWallet(world.store, created);
  return created;
}

/** Adds an obligation that has supplied an amount from the start. */
export function addSupplier(
  world: World,
  plan: WorldPlan,
  obligation: Obligation,
  reserve: Reserve,
  usd: number,
): void {
  const units = plan.units(reserve.token, usd);
  // The reserve is new: a collateral token is worth one unit of liquidity.
  reserve.liquidityVault.amount += units;
  reserve.collateralMint.supply += units;
  reserve.collateralVault.amount += units;
  obligation.deposits[0] = { reserve, ctokens: units, valueSf: 0n, borrowedInGroup: 0n };
  obligation.lastSlot = plan.slotBefore(HISTORY_DAYS);
  addObligation(world.store, obligation);
}
