import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { freeKey, isBorrowable, isCollateral } from './borrowers.ts';
import { claimReward } from './farm-engine.ts';
import { borrow, lend, repay, withdraw } from './lending-engine.ts';
import type { Market, Vault, Wallet } from './model.ts';
import { createObligation } from './obligations.ts';
import { Random, shuffled } from './prng.ts';
import { SLOTS_PER_DAY } from './time.ts';
import { depositInVault, stakeOf, withdrawFromVault } from './vault-engine.ts';
import type { World } from './world.ts';
import type { WorldPlan } from './world-plan.ts';

const LEAVERS = 14;
const SAVERS = 5;
const CLOSERS = 16;

/** Wallets that left a vault completely, half of which returned later, and some that deposit every month. */
export function planVaultExits(
  world: World,
  plan: WorldPlan,
  cell: number,
  vaults: readonly Vault[],
  wallets: readonly Wallet[],
): void {
  const random = new Random(world.seed, 'comings', cell);
  const usual = vaults.filter(({ spec }) => spec.size === 'usual');
  for (let i = 0; i < LEAVERS; i += 1) {
    const [vault, wallet] = [random.pick(usual), random.pick(wallets)];
    const age = ageOf(plan, vault);
    const deposit = (daysAgo: number, usd: number) => {
      const units = plan.units(vault.token, usd);
      const staked = random.chance(50);
      plan.add(daysAgo, (slot) =>
        depositInVault(world, vault, wallet, { maxAmount: units, stakeToo: staked }, slot),
      );
    };
    deposit(age * 0.8, random.magnitude(100, 20_000));
    plan.add(age * 0.45, (slot) => withdrawAll(world, vault, wallet, slot));
    if (i % 2 === 0) deposit(age * 0.2, random.magnitude(100, 20_000));
  }
  const volatile = usual.filter(({ token }) => token.feed.swingPpm > 100_000 || token.base !== null);
  for (let i = 0; i < SAVERS; i += 1) {
    const [vault, wallet] = [random.pick(volatile), random.pick(wallets)];
    const usd = random.magnitude(50, 2_000);
    for (let daysAgo = ageOf(plan, vault) - 3; daysAgo > 1; daysAgo -= 30.4) {
      const units = plan.units(vault.token, usd);
      plan.add(daysAgo, (slot) =>
        depositInVault(world, vault, wallet, { maxAmount: units, stakeToo: true }, slot),
      );
    }
  }
}

/** Some stakers claim their rewards from time to time. */
export function planClaims(
  world: World,
  plan: WorldPlan,
  random: Random,
  vault: Vault,
  wallet: Wallet,
): void {
  const { farm } = vault;
  if (farm === null || !random.chance(35)) return;
  for (let n = random.between(1, 2); n > 0; n -= 1) {
    const reward = random.pick(farm.rewards);
    plan.add((ageOf(plan, vault) * random.between(50, 700)) / 1000, (slot) => {
      const user = wallet.stakes.get(farm.address);
      if (user !== undefined) claimReward(world, user, wallet, reward, slot);
    });
  }
}

/** Obligations that were emptied and therefore closed; half were opened again later. */
export function planClosedObligations(
  world: World,
  plan: WorldPlan,
  cell: number,
  markets: readonly Market[],
  wallets: readonly Wallet[],
): void {
  const random = new Random(world.seed, 'closings', cell);
  for (let i = 0; i < CLOSERS; i += 1) {
    const [market, wallet] = [random.pick(markets), random.pick(wallets)];
    const [deposited] = shuffled(market.reserves.filter(isCollateral), random);
    const owed = market.reserves.find(
      (reserve) => isBorrowable(reserve) && reserve.token !== deposited?.token,
    );
    if (deposited === undefined || owed === undefined) continue;
    const obligation = createObligation(wallet, market, freeKey(wallet, market, 0, [deposited], []));
    const usd = random.magnitude(200, 30_000);
    const opened = random.between(90, 330);
    const supply = (daysAgo: number, part: number) =>
      plan.add(daysAgo, (slot) =>
        lend(world, obligation, deposited, plan.units(deposited.token, usd * part), slot),
      );
    supply(opened, 1);
    if (i % 3 > 0) {
      const units = plan.units(owed.token, usd * 0.15);
      plan.add(opened * 0.9, (slot) => {
        if (obligation.exists) borrow(world, obligation, owed, units, slot);
      });
      plan.add(opened * 0.6, (slot) => repay(world, obligation, owed, U64_MAX, slot));
    }
    plan.add(opened * 0.55, (slot) => withdraw(world, obligation, deposited, U64_MAX, slot));
    if (i % 2 === 0) supply(opened * 0.3, 0.7);
  }
}

function withdrawAll(world: World, vault: Vault, wallet: Wallet, slot: bigint): void {
  const held = wallet.holdings.get(vault.sharesMint.address)?.amount ?? 0n;
  withdrawFromVault(world, vault, wallet, held + stakeOf(vault, wallet), slot);
}

function ageOf(plan: WorldPlan, vault: Vault): number {
  return Number((plan.present - vault.createdSlot) / SLOTS_PER_DAY) - 2;
}
