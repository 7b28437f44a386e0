import { VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { floorScaled, U64_MAX } from '@sluice/protocol/numeric/fraction';
import { isBorrowable, isCollateral, isOpen } from '../../../src/world/borrowers.ts';
import {
  borrow,
  borrowInGroup,
  lend,
  openObligation,
  repay,
  withdraw,
} from '../../../src/world/lending-engine.ts';
import { reservesOf } from '../../../src/world/lending-setup.ts';
import { liquidate } from '../../../src/world/liquidation-engine.ts';
import type { Market, Obligation, Reserve, Wallet } from '../../../src/world/model.ts';
import { createObligation } from '../../../src/world/obligations.ts';
import { itemAt, type Random } from '../../../src/world/prng.ts';
import { unitsOfUsd } from '../../../src/world/reserves.ts';
import type { Comparison, Concerned, EngineAndRuntime } from './engine-and-runtime.ts';

/** Does one action with random arguments on both sides. Null when the subject that chance picked cannot do it. */
export type ActionCase = (subject: EngineAndRuntime, random: Random) => Comparison | null;

const farmsOf = (reserves: readonly Reserve[]) =>
  reserves.flatMap(({ collateralFarm, debtFarm }) => [collateralFarm, debtFarm]);

/** Everything that belongs to an obligation and the reserves on which it acts. */
function concernedBy(obligation: Obligation, ...acted: readonly Reserve[]): Concerned {
  const { deposits, borrows } = reservesOf(obligation);
  const reserves = [...new Set([...deposits, ...borrows, ...acted])];
  return { reserves, obligation, farms: farmsOf(reserves) };
}

const unitsWorth = (random: Random, reserve: Reserve, high: number) =>
  unitsOfUsd(reserve.token, random.magnitude(10, high), reserve.priceSf) + BigInt(random.below(1_000));

/** Whether a deposit fits the elevation group of the obligation. */
function isAllowed({ group, market }: Obligation, { spec }: Reserve): boolean {
  const { debt } = market.groups[group - 1] ?? {};
  return group === 0 || (!!spec.groups?.includes(group) && spec.token !== debt);
}

/** A wallet and market of its cell with an obligation id that nobody uses. */
function newObligation(subject: EngineAndRuntime, random: Random): Obligation {
  const { wallets, markets } = subject.world;
  const wallet = random.pick(wallets.filter(({ reserved }) => !reserved));
  return createObligation(wallet, random.pick(markets), { ...VANILLA_OBLIGATION, id: unusedId(wallet) });
}

const unusedId = ({ obligations }: Wallet) => 100 + obligations.length;

function pickDeposit(random: Random, { deposits }: Obligation) {
  const open = deposits.flatMap((deposit) => (deposit !== null && isOpen(deposit.reserve) ? deposit : []));
  return open.length === 0 ? null : random.pick(open);
}

function pickDebt(random: Random, { borrows }: Obligation) {
  const open = borrows.flatMap((debt) => (debt !== null && isOpen(debt.reserve) ? debt : []));
  return open.length === 0 ? null : random.pick(open);
}

const existing = (subject: EngineAndRuntime, random: Random): Obligation =>
  random.pick(subject.world.obligations);

const indebted = (subject: EngineAndRuntime, random: Random): Obligation =>
  random.pick(subject.world.obligations.filter(({ borrows }) => borrows.some((debt) => debt !== null)));

function reserveFor(
  random: Random,
  { reserves }: Market,
  fits: (reserve: Reserve) => boolean,
): Reserve | null {
  const fitting = reserves.filter(fits);
  return fitting.length === 0 ? null : random.pick(fitting);
}

function deposit(subject: EngineAndRuntime, random: Random, obligation: Obligation, reserve: Reserve) {
  const amount = unitsWorth(random, reserve, 20_000);
  subject.fund(obligation.owner, reserve.token.mint, amount);
  return subject.compare(
    (world, slot) => lend(world, obligation, reserve, amount, slot),
    () => concernedBy(obligation, reserve),
  );
}

export const lendingCases: Readonly<Record<string, ActionCase>> = {
  'opening an obligation': (subject, random) => {
    const obligation = newObligation(subject, random);
    subject.fund(obligation.owner, itemAt(subject.world.tokens, 0).mint, 1n);
    return subject.compare(
      (world, slot) => openObligation(world, obligation, slot),
      () => concernedBy(obligation),
    );
  },

  'deposit into a position': (subject, random) => {
    const obligation = existing(subject, random);
    const held = pickDeposit(random, obligation);
    return held && deposit(subject, random, obligation, held.reserve);
  },

  'deposit that opens a position': (subject, random) => {
    const obligation = random.chance(50) ? newObligation(subject, random) : existing(subject, random);
    const reserve = reserveFor(
      random,
      obligation.market,
      (each) => isCollateral(each) && isAllowed(obligation, each),
    );
    return reserve && deposit(subject, random, obligation, reserve);
  },

  'partial withdrawal': (subject, random) => {
    const obligation = existing(subject, random);
    const held = pickDeposit(random, obligation);
    if (held === null) return null;
    const ctokens = random.share(held.ctokens, 1, 300) + BigInt(random.below(100));
    return subject.compare(
      (world, slot) => withdraw(world, obligation, held.reserve, ctokens, slot),
      () => concernedBy(obligation, held.reserve),
    );
  },

  'full withdrawal': (subject, random) => {
    const free = subject.world.obligations.filter(({ borrows }) => borrows.every((debt) => debt === null));
    const obligation = random.chance(60) ? random.pick(free) : existing(subject, random);
    const held = pickDeposit(random, obligation);
    if (held === null) return null;
    const argument = random.chance(50) && pickDebt(random, obligation) === null ? U64_MAX : held.ctokens;
    return subject.compare(
      (world, slot) => withdraw(world, obligation, held.reserve, argument, slot),
      () => concernedBy(obligation, held.reserve),
    );
  },

  'borrow on a debt': (subject, random) => {
    const obligation = indebted(subject, random);
    const debt = pickDebt(random, obligation);
    if (debt === null || pickDeposit(random, obligation) === null) return null;
    const amount = random.share(floorScaled(debt.amountSf), 1, 80) + BigInt(random.below(1_000));
    return subject.compare(
      (world, slot) => borrow(world, obligation, debt.reserve, amount, slot),
      () => concernedBy(obligation, debt.reserve),
    );
  },

  'borrow that opens a debt': (subject, random) => {
    const obligation = existing(subject, random);
    if (pickDeposit(random, obligation) === null) return null;
    const { group, market } = obligation;
    const groupDebt = market.groups[group - 1]?.debt;
    const reserve = reserveFor(
      random,
      market,
      (each) => isBorrowable(each) && (groupDebt === undefined || each.token.symbol === groupDebt),
    );
    if (reserve === null) return null;
    const amount = unitsWorth(random, reserve, 200);
    return subject.compare(
      (world, slot) => borrow(world, obligation, reserve, amount, slot),
      () => concernedBy(obligation, reserve),
    );
  },

  'borrow that enters an elevation group': (subject, random) => {
    const obligation = newObligation(subject, random);
    const { market } = obligation;
    if (market.groups.length === 0) return null;
    const group = random.pick(market.groups);
    const isIn = (each: Reserve) => isOpen(each) && !!each.spec.groups?.includes(group.id);
    const debt = reserveFor(random, market, (each) => isIn(each) && each.token.symbol === group.debt);
    const member = reserveFor(
      random,
      market,
      (each) => isIn(each) && each !== debt && !each.spec.permissionedDeposits,
    );
    if (debt === null || member === null) return null;
    const usd = BigInt(random.between(100, 5_000));
    const supplied = unitsOfUsd(member.token, Number(usd), member.priceSf);
    subject.fund(obligation.owner, member.token.mint, supplied);
    lend(subject.world, obligation, member, supplied, subject.slot);
    const amount = unitsOfUsd(debt.token, Number(usd) / 2, debt.priceSf);
    return subject.compare(
      (world, slot) => borrowInGroup(world, obligation, { reserve: debt, group: group.id }, amount, slot),
      () => concernedBy(obligation, debt),
    );
  },

  'partial repayment': (subject, random) => {
    const obligation = indebted(subject, random);
    const debt = pickDebt(random, obligation);
    if (debt === null) return null;
    const amount = random.share(floorScaled(debt.amountSf), 1, 500) + BigInt(random.below(100));
    subject.fund(obligation.owner, debt.reserve.token.mint, 2n * amount);
    return subject.compare(
      (world, slot) => repay(world, obligation, debt.reserve, amount, slot),
      () => concernedBy(obligation, debt.reserve),
    );
  },

  'full repayment': (subject, random) => {
    const obligation = indebted(subject, random);
    const debt = pickDebt(random, obligation);
    if (debt === null) return null;
    subject.fund(obligation.owner, debt.reserve.token.mint, 2n * floorScaled(debt.amountSf) + 1_000n);
    return subject.compare(
      (world, slot) => repay(world, obligation, debt.reserve, U64_MAX, slot),
      () => concernedBy(obligation, debt.reserve),
    );
  },

  liquidation: (subject, random) => {
    const obligation = indebted(subject, random);
    const held = pickDeposit(random, obligation);
    if (held === null || obligation.unhealthySf === 0n) return null;
    const { token, priceSf } = held.reserve;
    const healthySf = (priceSf * obligation.adjustedDebtSf) / obligation.unhealthySf;
    subject.setPrice(token, random.share(healthySf, 500, 999));
    const liquidator = random.pick(subject.world.wallets);
    const { deposits, borrows } = reservesOf(obligation);
    for (const debt of obligation.borrows) {
      if (debt !== null) subject.fund(liquidator, debt.reserve.token.mint, 2n * floorScaled(debt.amountSf));
    }
    return subject.compare(
      (world, slot) => liquidate(world, obligation, liquidator, slot),
      () => concernedBy(obligation, ...deposits, ...borrows),
    );
  },

  'refresh of an obligation': (subject, random) => {
    const obligation = existing(subject, random);
    return subject.compare(
      () => true,
      () => concernedBy(obligation),
    );
  },
};
