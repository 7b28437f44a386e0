import { type Obligation, obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { type Reserve, reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { FRACTION_ONE, toScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import { cases } from '../../packages/protocol/test/support/cases.ts';
import type { BuiltStep } from '../../src/builders/action.ts';
import {
  addressNumber,
  type LendingSetting,
  NOW,
  reserveAddress,
} from '../support/builders/lending-accounts.ts';
import { Chance, randomState } from '../support/lending/random-states.ts';
import { expectChanges, readOf } from '../support/localnet/built-steps.ts';
import { RollOverBench } from '../support/localnet/roll-over-bench.ts';

/**
 * Rollovers in random markets, built and run against the program: the preview is the outcome to the base unit, and names the
 * error that the program answers, if any.
 */

const CASES = cases(60, 450);
const PRICE_DECIMALS = 12n;
const SOURCE = 2;
const TARGET = 3;
const MINT = addressNumber(202);
const { klend } = MAINNET_PROGRAMS;

type Debt = NonNullable<NonNullable<LendingSetting['change']>['borrows']>[number];

const termsOf = (chance: Chance) => ({
  autoRolloverEnabled: chance.hit(0.95) ? 1 : 0,
  openTermAllowed: chance.hit(0.8) ? 1 : 0,
  migrationToFixedEnabled: chance.hit(0.8) ? 1 : 0,
  fixedTermRolloverWindowDurationDays: chance.pick(0, 0, 1),
  maxBorrowRateBps: chance.hit(0.95) ? 5_000 : 4_999,
  minDebtTermSeconds: chance.pick(1n, 1n, 1n, 50n, 100n, 0n),
});

const marketOf = (chance: Chance) => ({
  // The refresh of an obligation moves shares of referrers inside the reserve, which builds do not follow.
  referralFeeBps: 0,
  fixedTermRolloverWindowDurationSeconds: chance.pick(0n, 40n, 100n, 100n, 200n, 200n),
  openTermRolloverWindowDurationSeconds: chance.pick(0n, 40n, 100n, 100n, 200n, 200n),
  obligationBorrowMigrationToFixedExecutionEnabled: chance.hit(0.9) ? 1 : 0,
  minPartialRolloverValue: chance.pick(0n, 0n, 1n, 100n),
});

/** Reserve 3 lends the token of reserve 2. Null for a loan without a debt in reserve 2. */
function settingOf(seed: number, chance: Chance): LendingSetting | null {
  const { setting } = randomState(seed, true);
  const borrows = [...(setting.change?.borrows ?? [])] as Debt[];
  const own = borrows.findIndex(({ borrowReserve }) => borrowReserve === reserveAddress(SOURCE));
  const debt = borrows[own];
  const source = setting.reserves?.[SOURCE];
  const other = randomState(seed + 3_000_000, true).setting.reserves?.[SOURCE];
  if (debt === undefined || source === undefined || other === undefined) return null;
  const owed = BigInt(debt.borrowedAmountSf ?? 0n) / FRACTION_ONE;
  const available = chance.hit(0.6) ? owed * 3n + 5n : chance.below(owed + 2n);
  const lent = BigInt(other.change?.liquidity?.borrowedAmountSf ?? 0n);
  const price = source.change?.liquidity?.marketPriceSf;
  const target = {
    ...other,
    available,
    decimals: source.decimals ?? 6,
    change: { ...other.change, liquidity: { ...other.change?.liquidity, marketPriceSf: price ?? 0n } },
    config: {
      ...other.config,
      borrowFactorPct: chance.hit(0.97) ? source.config?.borrowFactorPct : 150n,
      borrowLimit: chance.hit(0.8) ? 10n ** 18n : lent / FRACTION_ONE + chance.below(owed * 2n + 1n),
      utilizationLimitBlockBorrowingAbovePct: chance.hit(0.9) ? 0 : 90,
    },
  };
  const isCalm = seed % 4 !== 0;
  const reserves = [...(setting.reserves ?? []), target].map((each, i) => {
    const at = each.change?.liquidity?.marketPriceSf ?? FRACTION_ONE;
    return {
      ...each,
      oracle: { priceUsd: (BigInt(at) * 10n ** PRICE_DECIMALS) / FRACTION_ONE + 1n, exp: PRICE_DECIMALS },
      change: {
        ...each.change,
        liquidity: { ...each.change?.liquidity, ...(i < SOURCE ? {} : { mintPubkey: MINT }) },
      },
      config: {
        ...each.config,
        ...(isCalm ? { status: 0, emergencyMode: 0, disableUsageAsCollOutsideEmode: 0 } : {}),
        ...(i < SOURCE
          ? {}
          : {
              debtTermSeconds: chance.pick(0n, 100n, 100n, 100n, 100n, 150n),
              debtMaturityTimestamp: chance.hit(0.95) ? 0n : NOW.timestamp + chance.below(60n),
            }),
        // Every refresh accepts a group.
        elevationGroups: Uint8Array.of(1),
        protocolTakeRatePct: 10,
      },
    };
  });
  const terms = termsOf(chance);
  borrows[own] = {
    ...debt,
    fixedTermBorrowRolloverConfig: terms,
    lastBorrowedAtTimestamp: chance.hit(0.02) ? 0n : NOW.timestamp - chance.below(200n),
    borrowedAmountAtExpiration: chance.hit(0.1) ? 7n : 0n,
  };
  const isGrouped = seed % 4 === 0 && setting.change?.elevationGroup === 1;
  // A group has one debt.
  if (!isGrouped && chance.hit(0.25)) {
    borrows.push({
      ...debt,
      borrowReserve: reserveAddress(TARGET),
      borrowedAmountSf: chance.below(owed + 1n) * FRACTION_ONE + 1n,
      borrowedAmountOutsideElevationGroups: 0n,
      fixedTermBorrowRolloverConfig: {
        ...(chance.hit(0.9) ? terms : termsOf(chance)),
        fixedTermRolloverWindowDurationDays: 3,
      },
      lastBorrowedAtTimestamp: NOW.timestamp - chance.below(100n),
    });
  }
  return {
    ...setting,
    reserves,
    referred: false,
    balances: [],
    market: {
      ...setting.market,
      ...(isCalm ? { emergencyMode: 0, borrowDisabled: 0, globalAllowedBorrowValue: 10n ** 15n } : {}),
    },
    change: {
      ...setting.change,
      borrows,
      ...(isCalm ? { elevationGroup: 0, autodeleverageMarginCallStartedTimestamp: 0n } : {}),
    },
  };
}

const ANSWER = /The program answers (\d+) /;

/** The error that the preview names; null when it has none. */
function promisedError(step: BuiltStep): number | null {
  const [first] = step.preview().warnings.filter(({ level }) => level === 'ERROR');
  if (first === undefined) return null;
  return Number(ANSWER.exec(first.message)?.[1] ?? expect.fail(first.message));
}

/** Interest of the other debts is added when they are read. */
const debtsOf = ({ borrows }: Obligation, target: number) =>
  borrows.flatMap((each, slot) =>
    [SOURCE, target].map(reserveAddress).includes(each.borrowReserve)
      ? [
          {
            slot,
            reserve: each.borrowReserve,
            amountSf: each.borrowedAmountSf,
            since: each.lastBorrowedAtTimestamp,
            enabled: each.fixedTermBorrowRolloverConfig.autoRolloverEnabled,
            open: each.fixedTermBorrowRolloverConfig.openTermAllowed,
            toFixed: each.fixedTermBorrowRolloverConfig.migrationToFixedEnabled,
            days: each.fixedTermBorrowRolloverConfig.fixedTermRolloverWindowDurationDays,
            rate: each.fixedTermBorrowRolloverConfig.maxBorrowRateBps,
            term: each.fixedTermBorrowRolloverConfig.minDebtTermSeconds,
          },
        ]
      : [],
  );

const capOf = ({ config: { debtWithdrawalCap: cap } }: Reserve) =>
  cap.configIntervalLengthSeconds === 0n ? null : [cap.currentTotal, cap.lastIntervalStartTimestamp];

describe('rollovers in random markets', () => {
  it('leave the accounts as previewed, or fail with the error that the preview names', () => {
    const seen = { same: 0, whole: 0, part: 0, joined: 0, refused: 0 };
    const errors = new Map<number, number>();
    let built = 0;
    for (let seed = 1; built < CASES * 3; seed += 1) {
      const chance = new Chance(seed + 70_000);
      const setting = settingOf(seed, chance);
      if (setting === null) continue;
      built += 1;
      const bench = new RollOverBench(setting, marketOf(chance), {});
      const target = chance.hit(0.3) ? SOURCE : TARGET;
      const step = bench.rollOver(target, SOURCE);
      const what = `seed ${seed}`;
      const error = promisedError(step);
      const promised = step.after();
      const { positions, fees, debtTerm, rollover, warnings } = step.preview();
      const before = new Map([...promised.keys()].map((address) => [address, readOf(bench, address)]));
      const failure = bench.failureOf(step.action.instructions);
      expect(failure, `${what}: ${warnings.map(({ message }) => message).join(' ')}`).toBe(error);
      if (failure !== null) {
        seen.refused += 1;
        errors.set(Number(failure), (errors.get(Number(failure)) ?? 0) + 1);
        continue;
      }
      expectChanges(bench, promised, before);
      const account = promised.get(bench.obligationAddress) ?? expect.fail('the obligation is not changed');
      const after = bench.obligation();
      expect(debtsOf(after, target), what).toEqual(debtsOf(obligationLayout.decode(account, klend), target));
      for (const index of target === SOURCE ? [] : [SOURCE, TARGET]) {
        const left = promised.get(reserveAddress(index)) ?? expect.fail('a reserve is not changed');
        expect(capOf(bench.reserve(index)), what).toEqual(capOf(reserveLayout.decode(left, klend)));
      }
      const decimals = integer(10n ** BigInt(setting.reserves?.[SOURCE]?.decimals ?? 6));
      for (const { reserve, tokens } of positions) {
        const amount = toScaledFraction((tokens.after ?? expect.fail('no amount')).mul(decimals));
        const stored = debtsOf(after, target).find((each) => each.reserve === reserve)?.amountSf ?? 0n;
        expect(amount, what).toBe(stored);
      }
      expect(fees).toEqual([]);
      const rolled = after.borrows.find((each) => each.borrowReserve === reserveAddress(target));
      expect(rolled?.lastBorrowedAtTimestamp).toBe(NOW.timestamp);
      expect(rolled?.borrowedAmountAtExpiration).toBe(0n);
      const { debtTermSeconds: term, debtMaturityTimestamp: maturity } = bench.reserve(target).config;
      const ends = [...(term === 0n ? [] : [NOW.timestamp + term]), ...(maturity === 0n ? [] : [maturity])];
      const first = ends.reduce<bigint | null>((a, b) => (a === null || b < a ? b : a), null);
      expect(debtTerm?.end?.at ?? null, what).toBe(first);
      expect(rollover?.reserve).toBe(reserveAddress(target));
      const isPart = after.borrows.some((each) => each.borrowReserve === reserveAddress(SOURCE));
      expect(warnings.some(({ code }) => code === 'ROLLED_OVER_IN_PART')).toBe(target !== SOURCE && isPart);
      if (target === SOURCE) seen.same += 1;
      else if (setting.change?.borrows?.some((each) => each.borrowReserve === reserveAddress(TARGET))) {
        seen.joined += 1;
      } else seen[isPart ? 'part' : 'whole'] += 1;
    }
    for (const [name, count] of Object.entries(seen)) expect(count, name).toBeGreaterThan(CASES / 30);
    expect(errors.size, [...errors.keys()].join(' ')).toBeGreaterThan(8);
  }, 240_000);
});
