import type { ObligationKey } from '@sluice/protocol/klend/addresses';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import { findDeposit } from './debts.ts';
import { borrowInGroup, lend, openObligation, repay, withdraw } from './lending-engine.ts';
import type { GroupSpec } from './market-specs.ts';
import type { Market, Obligation, Reserve, Wallet } from './model.ts';
import { createObligation } from './obligations.ts';
import { itemAt, type Random, shuffled } from './prng.ts';
import type { World } from './world.ts';
import { agesBetween, type WorldPlan } from './world-plan.ts';

/** A position to create: its present contents, and how close to liquidation it is. */
export interface PositionPlan {
  readonly obligation: Obligation;
  readonly deposits: readonly { readonly reserve: Reserve; readonly usd: number }[];
  readonly debts: readonly Reserve[];
  /** Liquidation limit over debt. */
  readonly health: number;
  readonly group: GroupSpec | null;
  readonly oldest: number;
  /** Withdraw one deposit in the middle, leaving an empty slot between others. */
  readonly hole: boolean;
}

export const isOpen = ({ spec }: Reserve) => spec.status === undefined && !spec.saturated;
export const isCollateral = (reserve: Reserve) =>
  isOpen(reserve) && reserve.spec.ltvPct > 0 && !reserve.spec.groupCollateralOnly && !reserve.spec.termDays;
export const isBorrowable = (reserve: Reserve) =>
  isOpen(reserve) &&
  reserve.spec.utilizationPct > 0 &&
  !reserve.spec.utilizationBlockPct &&
  !reserve.spec.termDays;
const isDollar = ({ token }: Reserve) => token.feed.swingPpm < 1000 && token.base === null;

/** Rough yearly interest on a debt, which the principal must allow for. */
const YEARLY_DEBT_GROWTH = 0.07;

const TAG_WEIGHTS = [42, 25, 14, 15, 2, 1, 1];

/** Plans one more obligation for a wallet; null when the market does not support the chosen kind. */
export function planObligation(
  world: World,
  plan: WorldPlan,
  random: Random,
  wallet: Wallet,
  markets: readonly Market[],
): Obligation | null {
  const tag = random.weighted(TAG_WEIGHTS);
  const termMarkets = markets.filter(({ reserves }) => reserves.some(({ spec }) => spec.termDays));
  const market =
    tag > 3 ? random.pick(termMarkets) : itemAt(markets, random.weighted([48, 12, 10, 9, 7, 6, 6, 2]));
  const parts = partsOf(random, market, tag);
  if (parts === null) return null;
  const key = freeKey(wallet, market, tag, parts.deposits, parts.debts);
  const obligation = createObligation(wallet, market, key);
  const [deposits, debts, group] = [parts.deposits, parts.debts, parts.group];
  const oldest = random.between(35, 380);
  if (tag === 0 && random.chance(4)) {
    plan.add(oldest, (slot) => openObligation(world, obligation, slot));
    return obligation;
  }
  planPosition(world, plan, random, {
    obligation,
    deposits: deposits.map((reserve) => ({ reserve, usd: random.magnitude(200, 200_000) })),
    debts,
    health: healthOf(random, group),
    group,
    oldest,
    hole: deposits.length > 2 && random.chance(50),
  });
  return obligation;
}

interface Parts {
  readonly deposits: readonly Reserve[];
  readonly debts: readonly Reserve[];
  readonly group: GroupSpec | null;
}

function partsOf(random: Random, market: Market, tag: number): Parts | null {
  const collateral = shuffled(market.reserves.filter(isCollateral), random);
  const borrowable = shuffled(market.reserves.filter(isBorrowable), random);
  if (tag > 3) {
    const terms = market.reserves.filter(({ spec }) => spec.termDays !== undefined);
    if (tag === 5) return { deposits: [random.pick(terms)], debts: [], group: null };
    return { deposits: collateral.slice(0, 1), debts: [random.pick(terms)], group: null };
  }
  if (tag === 1 && market.groups.length > 0) return groupParts(random, market);
  if (tag === 2) return { deposits: collateral.slice(0, 1), debts: [], group: null };
  if (tag === 1 || tag === 3) {
    const [first] = collateral;
    const second = borrowable.find(
      (reserve) =>
        first !== undefined && reserve.token !== first.token && isDollar(reserve) !== isDollar(first),
    );
    return first === undefined || second === undefined
      ? null
      : { deposits: [first], debts: [second], group: null };
  }
  const full = random.chance(6) && collateral.length >= 8;
  const depositCount = full ? 8 : random.weighted([0, 50, 30, 20]);
  const debtCount = full ? 5 : random.weighted([22, 60, 18]);
  const deposits = collateral.slice(0, depositCount);
  const debts = full ? borrowable : borrowable.filter((reserve) => !deposits.includes(reserve));
  return { deposits, debts: debts.slice(0, debtCount), group: null };
}

/** Collateral of an elevation group against the group's debt. */
function groupParts(random: Random, market: Market): Parts | null {
  const group = random.pick(market.groups);
  const debt = market.reserves.find(({ token }) => token.symbol === group.debt);
  const members = market.reserves.filter(
    (reserve) => isOpen(reserve) && reserve !== debt && reserve.spec.groups?.includes(group.id),
  );
  return debt === undefined || members.length === 0
    ? null
    : { deposits: [random.pick(members)], debts: [debt], group };
}

function healthOf(random: Random, group: GroupSpec | null): number {
  const kind = random.below(100);
  if (kind < 3) return random.between(920, 990) / 1000;
  if (kind < 11) return random.between(1010, 1100) / 1000;
  return group === null ? random.between(1250, 3200) / 1000 : random.between(1040, 1500) / 1000;
}

/** The wallet's next unused id for these seeds. */
export function freeKey(
  wallet: Wallet,
  market: Market,
  tag: number,
  deposits: readonly Reserve[],
  debts: readonly Reserve[],
): ObligationKey {
  const seedOf = (reserve: Reserve | undefined) =>
    reserve === undefined ? NO_ADDRESS : tag > 3 ? reserve.address : reserve.token.mint.address;
  const seed1 = tag === 0 ? NO_ADDRESS : seedOf(deposits[0]);
  const seed2 = tag === 0 ? NO_ADDRESS : seedOf(debts[0] ?? deposits[0]);
  const id = wallet.obligations.filter(
    ({ key, market: other }) =>
      other === market && key.tag === tag && key.seed1 === seed1 && key.seed2 === seed2,
  ).length;
  return { tag, id, seed1, seed2 };
}

/** Plans the actions that lead to the position: deposits in two parts, debts borrowed and partly repaid. */
export function planPosition(world: World, plan: WorldPlan, random: Random, position: PositionPlan): void {
  const { obligation, deposits, debts, group, oldest } = position;
  const [opening = oldest] = agesBetween(random, 1, oldest * 0.9, oldest);
  deposits.forEach(({ reserve, usd }, i) => {
    const units = plan.units(reserve.token, usd);
    const later = random.share(units, 0, 500);
    plan.add(opening - i * 0.01, (slot) => lend(world, obligation, reserve, units - later, slot));
    const [age = 1] = agesBetween(random, 1, 9, opening * 0.8);
    if (later > 0n) plan.add(age, (slot) => topUp(world, obligation, reserve, later, slot));
  });
  const dropped = position.hole ? deposits[1] : undefined;
  if (dropped !== undefined) {
    plan.add(7.5, (slot) => withdraw(world, obligation, dropped.reserve, U64_MAX, slot));
  }
  if (debts.length === 0) {
    const [first] = deposits;
    if (first !== undefined && random.chance(40)) {
      const part = plan.units(first.reserve.token, first.usd / 10);
      plan.add(6, (slot) => withdraw(world, obligation, first.reserve, part, slot));
    }
    return;
  }
  const limit = deposits.reduce(
    (sum, deposit) =>
      deposit === dropped ? sum : sum + (deposit.usd * (group ?? deposit.reserve.spec).liquidationPct) / 100,
    0,
  );
  const tight = position.health < 1.2;
  debts.forEach((reserve, i) => {
    const borrowed = tight ? 4 - i * 0.1 : Math.max(5, opening * (random.between(300, 850) / 1000) - i * 0.1);
    const factor = group === null ? reserve.spec.borrowFactorPct / 100 : 1;
    const growth = 1 + (YEARLY_DEBT_GROWTH * borrowed) / 365;
    const usd = limit / (position.health * factor * growth * debts.length);
    const units = plan.units(reserve.token, usd);
    const extra = tight ? 0n : random.share(units, 0, 250);
    plan.add(borrowed, (slot) => {
      if (obligation.exists)
        borrowInGroup(world, obligation, { reserve, group: group?.id ?? 0 }, units + extra, slot);
    });
    if (extra > 0n) {
      plan.add(borrowed * (random.between(200, 900) / 1000), (slot) =>
        repay(world, obligation, reserve, extra, slot),
      );
    }
  });
}

function topUp(world: World, obligation: Obligation, reserve: Reserve, amount: bigint, slot: bigint): void {
  if (findDeposit(obligation, reserve) !== null) lend(world, obligation, reserve, amount, slot);
}
