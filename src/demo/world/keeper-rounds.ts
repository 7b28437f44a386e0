import type { Vault } from './model.ts';
import { HISTORY_DAYS, type Plan } from './plan.ts';
import { floorSf, netAumSf } from './program-maths.ts';
import { investVault, refreshVault } from './vault-investing.ts';
import type { World } from './world.ts';

/** Days ago at which a keeper began to come so often, in days between two rounds. */
const HABITS: readonly (readonly [since: number, every: number])[] = [
  [HISTORY_DAYS, 7],
  [32, 1 / 2],
  [2, 1 / 24],
];

/**
 * Charges the vault's fees, and puts tokens to work once they are more than a twentieth of it. The share price falls when
 * fees are charged, by all that has come together since somebody last dealt with the vault: among the few who deal with
 * one here, that may be months.
 */
export function tendVault(world: World, vault: Vault, slot: bigint): void {
  if (vault.sharesMint.supply === 0n) return;
  refreshVault(world, vault, slot);
  if (vault.available * 20n > floorSf(netAumSf(vault))) investVault(world, vault, slot);
}

/** Rounds of the past: the nearer to the present, where windows of yields are short, the closer together. */
export function planRounds(world: World, plan: Plan, vaults: readonly Vault[]): void {
  HABITS.forEach(([since, every], i) => {
    const until = HABITS[i + 1]?.[0] ?? 0;
    const rounds = Math.floor((since - until) / every);
    for (let round = 0; round < rounds; round += 1) {
      plan.add(since - round * every, (slot) => {
        for (const vault of vaults) tendVault(world, vault, slot);
      });
    }
  });
}
