import { Draft } from './journal.ts';
import type { Allocation, Vault } from './model.ts';
import {
  accrueInterest,
  availableOf,
  chargeVaultFees,
  collateralFor,
  collateralToRedeem,
  floorSf,
  liquiditySfOf,
  minOf,
  netAumSf,
} from './program-maths.ts';
import { timeOf } from './time.ts';
import { MIN_DEPOSIT } from './vaults.ts';
import type { World } from './world.ts';

/** Updates the vault to a slot: interest of its reserves, then its fees. */
export function refreshVault(world: World, vault: Vault, slot: bigint): void {
  for (const { reserve } of vault.allocations) {
    accrueInterest(reserve, slot);
    world.store.touch(reserve.address);
  }
  chargeVaultFees(vault, timeOf(slot));
  world.store.touch(vault.address);
}

/** Recomputes the strategy's target for each reserve. */
export function retarget(vault: Vault): void {
  const aum = netAumSf(vault);
  const weights = vault.allocations.reduce((sum, { weight }) => sum + weight, vault.spec.unallocatedWeight);
  for (const allocation of vault.allocations) {
    allocation.targetSf = (aum * BigInt(allocation.weight)) / BigInt(weights);
  }
}

/**
 * Invests idle tokens by weight, except for a fiftieth. The vault's keeper invests in one reserve at a time.
 */
export function investVault(world: World, vault: Vault, slot: bigint): void {
  const { keeper } = vault;
  if (keeper === null) throw new RangeError(`${vault.name} has no keeper`);
  const idle = vault.available - vault.available / 50n;
  if (idle < MIN_DEPOSIT * 10n) return;
  refreshVault(world, vault, slot);
  const weights = vault.allocations.reduce((sum, { weight }) => sum + weight, vault.spec.unallocatedWeight);
  for (const allocation of vault.allocations) {
    const { reserve, holding, weight, cap } = allocation;
    const { ctokens, taken } = collateralFor(reserve, (idle * BigInt(weight)) / BigInt(weights));
    if (ctokens === 0n || cap < taken) continue;
    const draft = new Draft(world.store, keeper, slot);
    draft.move(vault.tokenVault, -taken);
    draft.move(reserve.liquidityVault, taken);
    draft.move(holding, ctokens);
    reserve.collateralMint.supply += ctokens;
    vault.available -= taken;
    world.store.touch(reserve.collateralMint.address);
    const concerned = [keeper.address, vault.address, reserve.address, reserve.market.address];
    for (const { holding: moved } of draft.movements) concerned.push(moved.address);
    const action = { kind: 'invest', vault, allocation, liquidity: taken, ctokens } as const;
    world.journal.append(slot, draft, action, concerned);
  }
  for (const allocation of vault.allocations) allocation.lastInvestSlot = slot;
}

/** The reserve that can pay the amount and holds the most. */
export function sourceOf(vault: Vault, liquidity: bigint): Allocation | null {
  let best: Allocation | null = null;
  let most = 0n;
  for (const allocation of vault.allocations) {
    const { reserve, holding } = allocation;
    const payable = minOf(floorSf(liquiditySfOf(reserve, holding.amount)), availableOf(reserve)) - 1n;
    if (payable >= liquidity && payable > most) {
      most = payable;
      best = allocation;
    }
  }
  return best;
}

/** Redeems cTokens of one reserve for at least this much liquidity. */
export function disinvest(
  world: World,
  draft: Draft,
  vault: Vault,
  { reserve, holding }: Allocation,
  liquidity: bigint,
): { ctokens: bigint; liquidity: bigint } {
  const ctokens = minOf(holding.amount, collateralToRedeem(reserve, liquidity));
  const paid = floorSf(liquiditySfOf(reserve, ctokens));
  draft.move(holding, -ctokens);
  reserve.collateralMint.supply -= ctokens;
  draft.move(reserve.liquidityVault, -paid);
  draft.move(vault.tokenVault, paid);
  vault.available += paid;
  world.store.touch(reserve.collateralMint.address);
  return { ctokens, liquidity: paid };
}
