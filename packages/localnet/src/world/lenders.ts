import { VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { borrow, lend } from './lending-engine.ts';
import type { Market, Obligation, Reserve, Wallet } from './model.ts';
import { createObligation } from './obligations.ts';
import { itemAt } from './prng.ts';
import { availableOf } from './program-maths.ts';
import type { World } from './world.ts';
import type { WorldPlan } from './world-plan.ts';

/** Liquidation limit over debt with which the large lenders start. */
const HEALTH = 1.35;
const DEBTS_PER_LENDER = 5;
/** Days ago: before vaults existed, and after all of them had their first deposit. */
const BEFORE_VAULTS = 391;
const AFTER_VAULTS = 190;

/** Number of large lenders that a market needs so that none has more than five debts. */
export function lendersFor(reserves: number): number {
  return Math.max(2, Math.ceil(reserves / DEBTS_PER_LENDER));
}

interface Lender {
  readonly obligation: Obligation;
  readonly supplied: Reserve[];
  readonly owed: Reserve[];
  /** Risk-adjusted debt in USD that it can still take on. */
  capacityUsd: number;
}

/** Large lenders supply every reserve of a market and borrow from the reserves that others supply. */
export function planLenders(world: World, plan: WorldPlan, market: Market, wallets: readonly Wallet[]): void {
  const lenders = wallets.map(
    (wallet): Lender => ({
      obligation: createObligation(wallet, market, VANILLA_OBLIGATION),
      supplied: [],
      owed: [],
      capacityUsd: 0,
    }),
  );
  market.reserves.forEach((reserve, i) => {
    const lender = itemAt(lenders, i % lenders.length);
    const usd = reserve.spec.supplyKiloUsd * 1000;
    lender.supplied.push(reserve);
    lender.capacityUsd += (usd * reserve.spec.liquidationPct) / 100 / HEALTH;
    const units = plan.units(reserve.token, usd);
    plan.add(398 - i * 0.07, (slot) => lend(world, lender.obligation, reserve, units, slot));
  });
  const debts = market.reserves
    .map((reserve) => ({ reserve, ...wantedDebt(reserve) }))
    .sort((a, b) => b.early + b.late - (a.early + a.late));
  debts.forEach(({ reserve, early, late }, i) => {
    const wanted = ((early + late) * reserve.spec.borrowFactorPct) / 100;
    const lender = borrowerOf(lenders, reserve, wanted);
    if (lender === undefined || wanted === 0) return;
    const scale = Math.min(1, Math.max(0.05, lender.capacityUsd / wanted));
    lender.owed.push(reserve);
    lender.capacityUsd -= wanted * scale;
    const { obligation } = lender;
    for (const [age, usd] of [
      [BEFORE_VAULTS, early],
      [AFTER_VAULTS, late],
    ] as const) {
      const units = plan.units(reserve.token, usd * scale);
      if (units > 0n) plan.add(age - i * 0.4, (slot) => borrow(world, obligation, reserve, units, slot));
    }
    if (reserve.spec.saturated) plan.add(2.2, (slot) => borrowAll(world, obligation, reserve, slot));
  });
}

/** The lender with the most capacity, preferably one that does not supply the same reserve. */
function borrowerOf(lenders: readonly Lender[], reserve: Reserve, wanted: number): Lender | undefined {
  const free = lenders
    .filter(({ owed }) => owed.length < DEBTS_PER_LENDER)
    .sort((a, b) => b.capacityUsd - a.capacityUsd);
  return (
    free.find(({ supplied, capacityUsd }) => !supplied.includes(reserve) && capacityUsd >= wanted) ?? free[0]
  );
}

/** USD to borrow: first from the lenders' own supply, later from what the vaults supply. */
function wantedDebt({ spec, vaults, ...reserve }: Reserve): { early: number; late: number } {
  const share = spec.saturated ? 0.5 : spec.utilizationPct / 100;
  let invested = 0;
  for (const vault of vaults) {
    const weights = vault.allocations.reduce((sum, { weight }) => sum + weight, vault.spec.unallocatedWeight);
    const weight =
      vault.allocations.find((allocation) => allocation.reserve.address === reserve.address)?.weight ?? 0;
    invested += (vault.spec.startKiloUsd * 1000 * weight) / weights;
  }
  return { early: spec.supplyKiloUsd * 1000 * share, late: invested * share };
}

/** Borrows the largest amount whose fee can still be paid, leaving nothing. */
function borrowAll(world: World, obligation: Obligation, reserve: Reserve, slot: bigint): void {
  const available = availableOf(reserve);
  const most = (available * 10_000n) / (10_000n + BigInt(reserve.spec.originationFeeBps)) + 1n;
  for (let amount = most; amount > most - 3n; amount -= 1n) {
    if (borrow(world, obligation, reserve, amount, slot)) return;
  }
}
