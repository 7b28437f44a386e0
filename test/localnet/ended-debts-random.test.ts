import { obligation } from '@sluice/protocol/klend/obligation';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { cases } from '../../packages/protocol/test/support/cases.ts';
import { largestLiquidation } from '../../src/domain/largest-liquidation.ts';
import { type LendingSetting, NOW, reserveAddress } from '../support/builders/lending-accounts.ts';
import { buildOn, errorsOf, tokenOf, unhealthy } from '../support/lending/liquidation-bench.ts';
import { Chance } from '../support/lending/random-states.ts';
import { SEIZABLE } from '../support/lending/unhealthy-loan.ts';
import type { LendingBench } from '../support/localnet/lending-bench.ts';

/**
 * Liquidations of loans whose debts have terms and maturities, at random times around their ends: the preview is the outcome to
 * the base unit, and has an error exactly when the program refuses.
 */

const LANDED = cases(100, 700);
const DAY = 86_400n;
const DOLLAR = 1_000_000n;
const INDEXES = [0, 1, 2];

/** Seconds before now; below zero for a time to come. */
const age = (chance: Chance) =>
  chance.pick(-DAY, -1n, 0n, 1n, 3_600n, DAY, 9n * DAY + 777n, 40n * DAY, 400n * DAY);

function settingOf(chance: Chance): LendingSetting {
  const isGrouped = chance.hit(0.25);
  const thresholds = INDEXES.map(() => chance.pick(85, 85, 80, 60, 0));
  const reserves = thresholds.map((liquidationThresholdPct) => ({
    priceUsd: chance.pick(1n, 1n, 3n),
    collateral: chance.pick(1_000_000_000_000n, 913_131_313_131n),
    available: chance.pick(600_000_000_000n, 600_000_000_000n, 50_000_000n),
    config: {
      ...SEIZABLE,
      liquidationThresholdPct,
      maxLiquidationBonusBps: chance.pick(500, 500, 300, 1_000),
      minDeleveragingBonusBps: chance.pick(0, 100, 250),
      deleveragingBonusIncreaseBpsPerDay: chance.pick(0n, 10n, 137n),
      borrowFactorPct: chance.pick(100n, 100n, 130n),
      debtTermSeconds: chance.pick(0n, 30n * DAY, 7n * DAY + 1n),
      debtMaturityTimestamp: chance.pick(0n, 0n, 0n, NOW.timestamp - age(chance)),
      elevationGroups: Uint8Array.of(isGrouped ? 1 : 0),
      borrowLimitAgainstThisCollateralInElevationGroup: [10n ** 15n],
    },
  }));
  const debts = isGrouped || chance.hit(0.5) ? [1] : [1, 2];
  const value = chance.pick(100n, 500n, 600n, 700n, 820n, 870n, 1_010n) * DOLLAR;
  const deposits = chance.hit(0.5) ? [0] : [0, 2];
  return {
    reserves,
    deposits: deposits.map((index) => [
      index,
      (1_000n * DOLLAR) / BigInt(deposits.length) + chance.below(99n),
    ]),
    borrows: debts.map((index) => [index, value / BigInt(debts.length) + chance.below(999n)]),
    market: {
      liquidationMaxDebtCloseFactorPct: 20,
      insolvencyRiskUnhealthyLtvPct: 95,
      maxLiquidatableDebtMarketValueAtOnce: 500_000n,
      minFullLiquidationValueThreshold: chance.pick(2n, 2n, 300n),
      minValueSkipLiquidationLtvChecks: chance.pick(0n, 2n, 600n),
      priceTriggeredLiquidationDisabled: chance.pick(0, 0, 0, 1),
      matureReserveDebtLiquidationEnabled: chance.pick(1, 1, 0),
      obligationBorrowDebtTermLiquidationEnabled: chance.pick(1, 1, 0),
      termBasedFullLiquidationDurationSecs: chance.pick(0n, 10n * DAY, 90n * DAY + 1n),
      elevationGroups: [
        {
          id: 1,
          maxLiquidationBonusBps: chance.pick(0, 200, 400),
          ltvPct: 75,
          liquidationThresholdPct: 85,
          debtReserve: reserveAddress(1),
          maxReservesAsCollateral: 8,
        },
      ],
    },
    ...(isGrouped && { change: { elevationGroup: 1 } }),
  };
}

/** A loan whose debts began at some time, and whose ends a refresh has noticed or not. */
function benchOf(chance: Chance): LendingBench {
  const setting = settingOf(chance);
  const bench = unhealthy(setting);
  const { borrows } = bench.obligation();
  bench.change(obligation, bench.obligationAddress, {
    borrows: borrows.slice(0, setting.borrows?.length ?? 0).map(({ borrowReserve, borrowedAmountSf }) => {
      const index = INDEXES.find((each) => reserveAddress(each) === borrowReserve) ?? 0;
      const { debtTermSeconds } = bench.reserve(index).config;
      const amountSf = borrowedAmountSf + chance.below(FRACTION_ONE);
      return {
        lastBorrowedAtTimestamp: chance.hit(0.05) ? 0n : NOW.timestamp - debtTermSeconds - age(chance),
        borrowedAmountSf: amountSf,
        borrowedAmountAtExpiration: chance.hit(0.2)
          ? (amountSf / FRACTION_ONE) * chance.pick(1n, 2n) - chance.below(1_000n)
          : 0n,
      };
    }),
  });
  return bench;
}

/** Indexes of the reserves of the deposits, and of those of the debts. */
function positionsOf(bench: LendingBench): readonly [readonly number[], readonly number[]] {
  const { deposits, borrows } = bench.obligation();
  const among = (reserves: readonly Address[]) =>
    INDEXES.filter((index) => reserves.includes(reserveAddress(index)));
  return [
    among(deposits.map(({ depositReserve }) => depositReserve)),
    among(borrows.map(({ borrowReserve }) => borrowReserve)),
  ];
}

const some = (items: readonly number[], chance: Chance): number =>
  items[Number(chance.below(BigInt(items.length)))] ?? 0;

/** Builds a liquidation, sends it, and compares. Returns the error of the program, or null, and what was built. */
function compare(bench: LendingBench, chance: Chance, seed: number) {
  const [held, owed] = positionsOf(bench);
  const asked = {
    repay: some(owed, chance),
    withdraw: some(held, chance),
    amount: chance.hit(0.5) ? ({ all: true } as const) : { baseUnits: 1n + chance.below(900n * DOLLAR) },
  };
  const built = buildOn(bench, asked);
  const [debt, seized] = [bench.reserve(asked.repay), bench.reserve(asked.withdraw)];
  const isSame = asked.repay === asked.withdraw;
  const [source, destination] = [tokenOf(debt.liquidity.mintPubkey), tokenOf(seized.liquidity.mintPubkey)];
  const before = [
    bench.balance(source),
    bench.balance(destination),
    bench.balance(seized.liquidity.feeVault),
  ];
  const failure = bench.failureOf(built.action.instructions);
  const errors = errorsOf(built);
  expect({ seed, asked, errors, failure, isRefused: errors.length > 0 }).toEqual({
    seed,
    asked,
    errors,
    failure,
    isRefused: failure !== null,
  });
  const figures = built.preview.liquidation;
  if (failure !== null || figures === null) return { failure, built, figures: null };
  const [repaid, received] = [figures.repaid.amount, figures.received.amount];
  const paid = (before[0] ?? 0n) - bench.balance(source);
  expect({ seed, paid }).toEqual({ seed, paid: repaid - (isSame ? received : 0n) });
  if (!isSame) expect(bench.balance(destination) - (before[1] ?? 0n)).toBe(received);
  expect(bench.balance(seized.liquidity.feeVault) - (before[2] ?? 0n)).toBe(figures.protocolFee.amount);
  const { deposits, borrows } = bench.obligation();
  const promised = built.outcome.effect?.obligation ?? expect.fail('nothing promised');
  expect(deposits.map(({ depositedAmount }) => depositedAmount)).toEqual(
    promised.deposits.map(({ depositedAmount }) => depositedAmount),
  );
  const of = ({ borrowedAmountSf, borrowedAmountAtExpiration }: (typeof borrows)[number]) =>
    borrowedAmountSf === 0n ? null : [borrowedAmountSf, borrowedAmountAtExpiration];
  const slot = promised.borrows.findIndex(
    ({ borrowReserve }) => borrowReserve === reserveAddress(asked.repay),
  );
  expect({ seed, owed: borrows.map(({ borrowedAmountSf }) => borrowedAmountSf) }).toEqual({
    seed,
    owed: promised.borrows.map(({ borrowedAmountSf }) => borrowedAmountSf),
  });
  const [found, expected] = [borrows[slot], promised.borrows[slot]];
  if (found && expected) expect({ seed, debt: of(found) }).toEqual({ seed, debt: of(expected) });
  return { failure, built, figures };
}

describe('a liquidation of debts with ends', () => {
  it(`is previewed to the base unit, over ${LANDED} that land`, { timeout: 300_000 }, () => {
    const seen = new Map<string, number>();
    const see = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
    let landed = 0;
    for (let seed = 1; landed < LANDED && seed < 20_000; seed += 1) {
      const chance = new Chance(seed + 7_000_000);
      const bench = benchOf(chance);
      // A second one finds what the first one left.
      for (const round of ['first', 'second']) {
        const { failure, built, figures } = compare(bench, chance, seed);
        see(failure === null ? 'landed' : String(failure));
        if (figures === null) break;
        landed += 1;
        see(`${round} ${figures.reason}`);
        const { obligation: position, group, market, reserves } = stateOf(built);
        const largest = largestLiquidation({
          obligation: position,
          group,
          market,
          reserves,
          timestamp: NOW.timestamp,
        });
        expect(largest === null).toBe(false);
        if (positionsOf(bench).some((each) => each.length === 0)) break;
      }
    }
    expect(landed, JSON.stringify([...seen])).toBeGreaterThanOrEqual(LANDED);
    const usual = ['first UNHEALTHY', 'first MATURITY', 'first TERM', '6016', '6087', '6100'];
    const rare = ['second TERM', '6015', '6099', '6121', 'second MATURITY', 'second UNHEALTHY'];
    expect(
      [...usual, ...rare.slice(0, cases(0, rare.length))].filter((each) => !seen.has(each)),
      JSON.stringify([...seen]),
    ).toEqual([]);
  });
});

function stateOf({ accounts, outcome }: ReturnType<typeof buildOn>) {
  return {
    obligation: outcome.refreshed ?? expect.fail('no price'),
    group: accounts.obligation.elevationGroup,
    market: accounts.repay.market,
    reserves: outcome.before.reserves,
  };
}
