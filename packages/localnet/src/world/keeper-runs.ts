import { floorScaled } from '@sluice/protocol/numeric/fraction';
import type { Vault } from './model.ts';
import { netAumSf } from './program-maths.ts';
import { investVault, refreshVault } from './vault-investing.ts';
import type { World } from './world.ts';
import { HISTORY_DAYS, type WorldPlan } from './world-plan.ts';

/** Since how many days ago the keeper runs, and the days between two runs. */
const INTERVALS: readonly (readonly [since: number, every: number])[] = [
  [HISTORY_DAYS, 7],
  [32, 1 / 2],
  [2, 1 / 24],
];

/**
 * Charges the vault's fees, and invests idle tokens once they exceed a twentieth of its assets. Without
 * regular runs the share price would drop by months of accumulated fees at once, because few wallets interact
 * with a vault here.
 */
export function runKeeper(world: World, vault: Vault, slot: bigint): void {
  if (vault.sharesMint.supply === 0n) return;
  refreshVault(world, vault, slot);
  if (vault.available * 20n > floorScaled(netAumSf(vault))) investVault(world, vault, slot);
}

/** Plans past keeper runs. They are more frequent closer to the present, where yield windows are short. */
export function planKeeperRuns(world: World, plan: WorldPlan, vaults: readonly Vault[]): void {
  INTERVALS.forEach(([since, every], i) => {
    const until = INTERVALS[i + 1]?.[0] ?? 0;
    const runs = Math.floor((since - until) / every);
    for (let run = 0; run < runs; run += 1) {
      plan.add(since - run * every, (slot) => {
        for (const vault of vaults) runKeeper(world, vault, slot);
      });
    }
  });
}
