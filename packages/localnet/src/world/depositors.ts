import type { Vault, Wallet } from './model.ts';
import type { Random } from './prng.ts';
import { SLOTS_PER_DAY } from './time.ts';
import {
  depositInVault,
  stakeOf,
  stakeShares,
  transferShares,
  unstakeShares,
  withdrawFromVault,
} from './vault-engine.ts';
import { investVault } from './vault-investing.ts';
import type { World } from './world.ts';
import { agesBetween, type WorldPlan } from './world-plan.ts';

/** The first deposit of a vault: from a large lender, or dust. */
export function planFirstDeposit(world: World, plan: WorldPlan, vault: Vault, wallet: Wallet): void {
  const age = Number((plan.present - vault.createdSlot) / SLOTS_PER_DAY) - 0.5;
  const { size, startKiloUsd } = vault.spec;
  if (size === 'empty') return;
  const amount = size === 'dust' ? 1_500n : plan.units(vault.token, startKiloUsd * 1000);
  plan.add(age, (slot) => {
    if (!depositInVault(world, vault, wallet, { maxAmount: amount, stakeToo: size === 'usual' }, slot))
      return;
    if (size === 'usual') investVault(world, vault, slot);
  });
}

/**
 * A wallet's history in a vault: deposits, possibly staked, possibly followed by a withdrawal or a transfer.
 */
export function planVaultPosition(
  world: World,
  plan: WorldPlan,
  random: Random,
  vault: Vault,
  { wallet, others }: { readonly wallet: Wallet; readonly others: readonly Wallet[] },
): void {
  const oldest = Number((plan.present - vault.createdSlot) / SLOTS_PER_DAY) - 2;
  const count = random.weighted([0, 35, 35, 20, 10]);
  const ages = agesBetween(random, count + 2, 1, oldest);
  const usd = random.magnitude(100, 100_000);
  const stakes = random.weighted([40, 40, 20]);
  for (const [i, age] of ages.slice(0, count).entries()) {
    const units = plan.units(vault.token, usd * (random.between(300, 1400) / 1000));
    const staked = stakes === 1 || (stakes === 2 && i % 2 === 0);
    plan.add(age, (slot) => {
      if (!depositInVault(world, vault, wallet, { maxAmount: units, stakeToo: staked }, slot)) return;
      if (i === 0) investVault(world, vault, slot);
    });
  }
  const [changed = 2, left = 1] = ages.slice(count);
  const share = random.between(100, 600);
  const to = random.pick(others);
  switch (random.weighted([35, 25, 12, 12, 16])) {
    case 1:
      plan.add(changed, (slot) => {
        withdrawFromVault(
          world,
          vault,
          wallet,
          part(held(vault, wallet) + stakeOf(vault, wallet), share),
          slot,
        );
      });
      break;
    case 2:
      plan.add(changed, (slot) =>
        unstakeShares(world, vault, wallet, part(stakeOf(vault, wallet), share), slot),
      );
      break;
    case 3:
      plan.add(changed, (slot) => stakeShares(world, vault, wallet, part(held(vault, wallet), share), slot));
      break;
    case 4:
      plan.add(left, (slot) =>
        transferShares(world, vault, { from: wallet, to }, part(held(vault, wallet), share), slot),
      );
      break;
    default:
  }
}

function held(vault: Vault, wallet: Wallet): bigint {
  return wallet.holdings.get(vault.sharesMint.address)?.amount ?? 0n;
}

function part(whole: bigint, perMille: number): bigint {
  return (whole * BigInt(perMille)) / 1000n;
}
