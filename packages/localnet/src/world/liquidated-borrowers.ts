import { freeKey, isCollateral } from './borrowers.ts';
import { borrow, lend } from './lending-engine.ts';
import { liquidate } from './liquidation-engine.ts';
import type { Market, Reserve, Wallet } from './model.ts';
import { createObligation } from './obligations.ts';
import { itemAt, Random } from './prng.ts';
import type { World } from './world.ts';
import type { WorldPlan } from './world-plan.ts';

const LIQUIDATED = 8;
/** Liquidation limit over debt at the low. */
const HEALTH_AT_LOW = 0.97;
/** Rough yearly interest on the debt. */
const YEARLY_DEBT_GROWTH = 0.07;

/** A price drop, in days ago: a borrower who borrowed before it was liquidated at its low. */
interface PriceDrop {
  readonly reserve: Reserve;
  readonly before: number;
  readonly low: number;
  /** Price at the low over the price before. */
  readonly ratio: number;
}

/** Borrowers whose collateral lost so much value that part of it was liquidated. */
export function planLiquidatedBorrowers(
  world: World,
  plan: WorldPlan,
  market: Market,
  wallets: readonly Wallet[],
  liquidators: readonly Wallet[],
): void {
  const random = new Random(world.seed, 'liquidated', market.address);
  const debt = market.reserves.find(({ token }) => token.symbol === 'USDC');
  const drops = market.reserves
    .filter(isCollateral)
    .flatMap((reserve) => deepestDrop(world, plan, reserve) ?? [])
    .sort((a, b) => a.ratio - b.ratio);
  if (debt === undefined || drops.length === 0) return;
  for (let i = 0; i < LIQUIDATED; i += 1) {
    const { reserve, before, low } = itemAt(drops, i % drops.length);
    const wallet = random.pick(wallets);
    const liquidator = random.pick(liquidators);
    const obligation = createObligation(wallet, market, freeKey(wallet, market, 0, [reserve], [debt]));
    const usd = random.magnitude(500, 40_000);
    const units = plan.units(reserve.token, usd);
    const worth = (usd * priceAt(world, plan, reserve, low)) / priceAt(world, plan, reserve, 0);
    const growth = 1 + (YEARLY_DEBT_GROWTH * (before - low)) / 365;
    const factor = debt.spec.borrowFactorPct / 100;
    const owed = (worth * reserve.spec.liquidationPct) / 100 / (HEALTH_AT_LOW * growth * factor);
    plan.add(before + 0.3 + i * 0.01, (slot) => lend(world, obligation, reserve, units, slot));
    plan.add(before + i * 0.01, (slot) => {
      if (obligation.exists) borrow(world, obligation, debt, plan.units(debt.token, owed), slot);
    });
    for (const later of [0, 0.4, 1.1]) {
      plan.add(low - later + i * 0.01, (slot) => liquidate(world, obligation, liquidator, slot));
    }
  }
}

/**
 * The deepest drop within months; null when none was deep enough to liquidate a borrower who had borrowed to
 * the limit.
 */
function deepestDrop(world: World, plan: WorldPlan, reserve: Reserve): PriceDrop | null {
  const needed = (reserve.spec.ltvPct / reserve.spec.liquidationPct) * HEALTH_AT_LOW;
  let deepest: PriceDrop | null = null;
  for (let before = 40; before <= 220; before += 9) {
    const start = priceAt(world, plan, reserve, before);
    for (let low = 8; low < before - 10; low += 7) {
      const ratio = priceAt(world, plan, reserve, low) / start;
      if (ratio < Math.min(needed, deepest?.ratio ?? 1)) deepest = { reserve, before, low, ratio };
    }
  }
  return deepest;
}

function priceAt(world: World, plan: WorldPlan, { token }: Reserve, daysAgo: number): number {
  return Number(world.prices.priceSf(token, plan.slotBefore(daysAgo)));
}
