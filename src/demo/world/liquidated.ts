import { freeKey, isCollateral } from './borrowers.ts';
import { borrow, lend } from './lending-engine.ts';
import { liquidate } from './liquidation-engine.ts';
import type { Market, Reserve, Wallet } from './model.ts';
import { createObligation } from './obligations.ts';
import type { Plan } from './plan.ts';
import { itemAt, Random } from './prng.ts';
import type { World } from './world.ts';

const LIQUIDATED = 8;
/** Liquidation limit over debt at the bottom of the fall. */
const HEALTH_AT_BOTTOM = 0.97;
/** A year's interest on the debt, roughly. */
const YEARLY_DEBT_GROWTH = 0.07;

/** A fall of a price: borrowed against before it, liquidated in it. Days ago. */
interface Fall {
  readonly reserve: Reserve;
  readonly before: number;
  readonly bottom: number;
  /** Price at the bottom over the price before. */
  readonly ratio: number;
}

/** Borrowers whose collateral lost so much that others liquidated a part of it. */
export function planLiquidated(
  world: World,
  plan: Plan,
  market: Market,
  wallets: readonly Wallet[],
  liquidators: readonly Wallet[],
): void {
  const random = new Random(world.seed, 'liquidated', market.address);
  const debt = market.reserves.find(({ token }) => token.symbol === 'USDC');
  const falls = market.reserves
    .filter(isCollateral)
    .flatMap((reserve) => deepestFall(world, plan, reserve) ?? [])
    .sort((a, b) => a.ratio - b.ratio);
  if (debt === undefined || falls.length === 0) return;
  for (let i = 0; i < LIQUIDATED; i += 1) {
    const { reserve, before, bottom } = itemAt(falls, i % falls.length);
    const wallet = random.pick(wallets);
    const liquidator = random.pick(liquidators);
    const obligation = createObligation(wallet, market, freeKey(wallet, market, 0, [reserve], [debt]));
    const usd = random.magnitude(500, 40_000);
    const units = plan.units(reserve.token, usd);
    const worth = (usd * priceAt(world, plan, reserve, bottom)) / priceAt(world, plan, reserve, 0);
    const growth = 1 + (YEARLY_DEBT_GROWTH * (before - bottom)) / 365;
    const factor = debt.spec.borrowFactorPct / 100;
    const owed = (worth * reserve.spec.liquidationPct) / 100 / (HEALTH_AT_BOTTOM * growth * factor);
    plan.add(before + 0.3 + i * 0.01, (slot) => lend(world, obligation, reserve, units, slot));
    plan.add(before + i * 0.01, (slot) => {
      if (obligation.exists) borrow(world, obligation, debt, plan.units(debt.token, owed), slot);
    });
    for (const later of [0, 0.4, 1.1]) {
      plan.add(bottom - later + i * 0.01, (slot) => liquidate(world, obligation, liquidator, slot));
    }
  }
}

/** The deepest fall within months; null when none was deep enough to carry a borrower from its limit past liquidation. */
function deepestFall(world: World, plan: Plan, reserve: Reserve): Fall | null {
  const needed = (reserve.spec.ltvPct / reserve.spec.liquidationPct) * HEALTH_AT_BOTTOM;
  let deepest: Fall | null = null;
  for (let before = 40; before <= 220; before += 9) {
    const start = priceAt(world, plan, reserve, before);
    for (let bottom = 8; bottom < before - 10; bottom += 7) {
      const ratio = priceAt(world, plan, reserve, bottom) / start;
      if (ratio < Math.min(needed, deepest?.ratio ?? 1)) deepest = { reserve, before, bottom, ratio };
    }
  }
  return deepest;
}

function priceAt(world: World, plan: Plan, { token }: Reserve, daysAgo: number): number {
  return Number(world.prices.priceSf(token, plan.slotBefore(daysAgo)));
}
