import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import type { StructInput } from '@sluice/protocol/layout/struct';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { describe, expect, it } from 'vitest';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import {
  addressNumber,
  type LendingSetting,
  MARKET,
  NOW,
  type ReserveSetting,
  reserveAddress,
} from '../support/builders/lending-accounts.ts';
import { RollOverBench } from '../support/localnet/roll-over-bench.ts';

/** Rollovers on accounts whose numbers can be checked by hand: the program's steps, its checks in their order, and its roundings. */

const DAY = 86_400n;
const TERM = 30n * DAY;
const SAME_MINT = { liquidity: { mintPubkey: addressNumber(201) } };
const DEBT = 500_000_000n;
/** The debt has a fraction of a base unit, as all debts that bear interest. */
const DEBT_SF = DEBT * FRACTION_ONE + 1n;
const [SOURCE, LONGER, OPEN, OTHER_TOKEN] = [1, 2, 3, 0];

/** Reserves with a term of 30 and 90 days and without one, of one token; 1,000 dollars in reserve 0 back the debt. */
const loan = (
  target: ReserveSetting = {},
  own: ReserveSetting['config'] = {},
  change: LendingSetting['change'] = {},
): LendingSetting => ({
  reserves: [
    {},
    { change: SAME_MINT, config: { debtTermSeconds: TERM, ...own } },
    { ...target, change: SAME_MINT, config: { debtTermSeconds: 3n * TERM, ...target.config } },
    { change: SAME_MINT },
  ],
  deposits: [[0, 1_000_000_000n]],
  borrows: [[SOURCE, DEBT]],
  change,
});

/** Six days of the term are left, and the market's windows are seven days and three. */
const SINCE = NOW.timestamp - 24n * DAY;
const TERMS = {
  autoRolloverEnabled: 1,
  openTermAllowed: 1,
  migrationToFixedEnabled: 0,
  fixedTermRolloverWindowDurationDays: 0,
  maxBorrowRateBps: 5_000,
  minDebtTermSeconds: TERM,
};
type Debt = Parameters<RollOverBench['store']>[0];
type Market = StructInput<typeof lendingMarket.body.fields>;

const debt = (fields: Debt = {}, terms: Partial<typeof TERMS> = {}): Debt => ({
  lastBorrowedAtTimestamp: SINCE,
  borrowedAmountSf: DEBT_SF,
  borrowedAmountOutsideElevationGroups: 0n,
  fixedTermBorrowRolloverConfig: { ...TERMS, ...terms },
  ...fields,
});

const benchOf = (setting = loan(), fields: Debt = debt(), market: Market = {}) =>
  new RollOverBench(setting, market, fields);
const failure = (bench: RollOverBench, target: number, ...more: [Record<string, never>?]) =>
  bench.failureOf(bench.rolling(target, ...more));
/** Of a rollover into the reserve with 90 days, on a changed loan. */
const fails = (fields: Debt, market: Market = {}, setting = loan()) =>
  failure(benchOf(setting, fields, market), LONGER);

describe('a rollover into another reserve', () => {
  it('moves whole units, rounded up, and settles the debt with its fraction', () => {
    const bench = benchOf(
      loan(),
      debt({ borrowedAmountAtExpiration: 3n }, { fixedTermRolloverWindowDurationDays: 9 }),
    );
    expect(failure(bench, LONGER)).toBeNull();
    const moved = DEBT + 1n;
    const [source, target] = [bench.reserve(SOURCE), bench.reserve(LONGER)];
    expect(source.liquidity.totalAvailableAmount).toBe(600_000_000_000n + moved);
    expect(source.liquidity.borrowedAmountSf).toBe(400_000_000_000n * FRACTION_ONE - DEBT_SF);
    expect(target.liquidity.totalAvailableAmount).toBe(600_000_000_000n - moved);
    expect(target.liquidity.borrowedAmountSf).toBe((400_000_000_000n + moved) * FRACTION_ONE);
    expect(bench.balance(source.liquidity.supplyVault)).toBe(600_000_000_000n + moved);
    expect(bench.balance(target.liquidity.supplyVault)).toBe(600_000_000_000n - moved);
    // No fee and no penalty.
    expect(bench.balance(target.liquidity.feeVault)).toBe(0n);
    expect(source.liquidity.accumulatedProtocolFeesSf).toBe(0n);
    expect(source.borrowedAmountOutsideElevationGroup).toBe(0n);
    expect(target.borrowedAmountOutsideElevationGroup).toBe(moved);
    expect([source.lastUpdate.stale, target.lastUpdate.stale]).toEqual([1, 1]);
    const { borrows, lastUpdate, hasDebt } = bench.obligation();
    expect(borrows[0]).toMatchObject({
      borrowReserve: reserveAddress(LONGER),
      borrowedAmountSf: moved * FRACTION_ONE,
      lastBorrowedAtTimestamp: NOW.timestamp,
      borrowedAmountAtExpiration: 0n,
      borrowedAmountOutsideElevationGroups: moved,
    });
    expect(borrows[0]?.fixedTermBorrowRolloverConfig).toMatchObject({
      ...TERMS,
      fixedTermRolloverWindowDurationDays: 9,
    });
    expect([lastUpdate.stale, hasDebt]).toEqual([1, 1]);
  });

  it('moves what the new reserve can lend, if that is worth enough', () => {
    const setting = loan({ available: 200_000_000n });
    const bench = benchOf(setting, debt(), { minPartialRolloverValue: 200n });
    expect(failure(bench, LONGER)).toBeNull();
    const [rest, moved] = bench.obligation().borrows;
    expect(rest).toMatchObject({
      borrowReserve: reserveAddress(SOURCE),
      borrowedAmountSf: DEBT_SF - 200_000_000n * FRACTION_ONE,
      lastBorrowedAtTimestamp: SINCE,
    });
    expect(moved).toMatchObject({
      borrowReserve: reserveAddress(LONGER),
      borrowedAmountSf: 200_000_000n * FRACTION_ONE,
      lastBorrowedAtTimestamp: NOW.timestamp,
    });
    expect(fails(debt(), { minPartialRolloverValue: 201n }, setting)).toBe(6166);
  });

  it('keeps the settings of a debt without a term only where they let it move on', () => {
    const inTwoDays = { lastBorrowedAtTimestamp: NOW.timestamp - 28n * DAY };
    const cleared = benchOf(loan(), debt(inTwoDays));
    expect(failure(cleared, OPEN)).toBeNull();
    expect(cleared.terms).toMatchObject({
      autoRolloverEnabled: 0,
      maxBorrowRateBps: 0,
      minDebtTermSeconds: 0n,
    });
    const kept = benchOf(loan(), debt(inTwoDays, { migrationToFixedEnabled: 1 }));
    expect(failure(kept, OPEN)).toBeNull();
    expect(kept.terms).toMatchObject({ ...TERMS, migrationToFixedEnabled: 1 });
    // From there to a fixed term at any time.
    expect(kept.failureOf(kept.rolling(SOURCE, {}, OPEN))).toBeNull();
    expect(kept.obligation().borrows[0]).toMatchObject({ borrowReserve: reserveAddress(SOURCE) });
  });

  it('counts towards the caps of both reserves', () => {
    const cap = { configCapacity: 800_000_000n, configIntervalLengthSeconds: 100n };
    const since = { lastIntervalStartTimestamp: NOW.timestamp - 9n };
    const setting = loan(
      { config: { debtWithdrawalCap: { ...cap, ...since, currentTotal: 1n } } },
      { debtWithdrawalCap: { ...cap, ...since, currentTotal: 700_000_000n } },
    );
    const bench = benchOf(setting);
    expect(failure(bench, LONGER)).toBeNull();
    expect(bench.reserve(SOURCE).config.debtWithdrawalCap.currentTotal).toBe(199_999_999n);
    expect(bench.reserve(LONGER).config.debtWithdrawalCap.currentTotal).toBe(500_000_002n);
  });

  it('tells the farms of both reserves', () => {
    const farms = { farmDebt: true };
    const plain = loan();
    const setting = {
      ...plain,
      reserves: (plain.reserves ?? []).map((each, i) => (i === LONGER ? { ...each, ...farms } : each)),
    };
    expect(fails(debt(), {}, setting)).toBe(6120);
    const bench = benchOf(setting);
    expect(bench.failureOf(bench.rollOver(LONGER).action.instructions)).toBeNull();
  });
});

describe('a rollover within one reserve', () => {
  it('starts the term anew and leaves everything else', () => {
    const bench = benchOf(loan(), debt({ borrowedAmountAtExpiration: 7n }));
    const { data } = bench.account(reserveAddress(SOURCE));
    expect(bench.failureOf(bench.rolling(SOURCE).slice(0, -1))).toBeNull();
    const refreshed = bench.account(reserveAddress(SOURCE)).data;
    expect(bench.failureOf([bench.instruction(SOURCE)])).toBeNull();
    expect(bench.account(reserveAddress(SOURCE)).data).toEqual(refreshed);
    expect(data.length).toBe(refreshed.length);
    const { borrows, lastUpdate } = bench.obligation();
    expect(borrows[0]).toMatchObject({
      borrowedAmountSf: DEBT_SF,
      lastBorrowedAtTimestamp: NOW.timestamp,
      borrowedAmountAtExpiration: 0n,
    });
    expect(lastUpdate.stale).toBe(1);
  });

  it('demands that the reserve could lend the debt', () => {
    const withOwn = (own: ReserveSetting['config']) => failure(benchOf(loan({}, own)), SOURCE);
    expect(withOwn({ borrowLimit: 400_000_000_000n })).toBeNull();
    expect(withOwn({ borrowLimit: 399_999_999_999n })).toBe(6089);
    expect(withOwn({ utilizationLimitBlockBorrowingAbovePct: 40 })).toBe(6098);
    expect(withOwn({ utilizationLimitBlockBorrowingAbovePct: 41 })).toBeNull();
    expect(withOwn({ borrowLimitOutsideElevationGroup: DEBT + 1n })).toBeNull();
    expect(withOwn({ borrowLimitOutsideElevationGroup: DEBT })).toBe(6101);
    const queued = benchOf();
    // Collateral tokens and base units are worth the same.
    queued.change(reserveLayout, reserveAddress(SOURCE), {
      withdrawQueue: { queuedCollateralAmount: 600_000_000_000n },
    });
    expect(failure(queued, SOURCE)).toBeNull();
    queued.change(reserveLayout, reserveAddress(SOURCE), {
      withdrawQueue: { queuedCollateralAmount: 600_000_000_001n },
    });
    queued.store({ lastBorrowedAtTimestamp: SINCE });
    expect(failure(queued, SOURCE)).toBe(6008);
  });
});

describe('the time of a rollover', () => {
  const endsIn = (seconds: bigint) => ({ lastBorrowedAtTimestamp: NOW.timestamp - TERM + seconds });

  it('is in the window before the end, or later', () => {
    expect(fails(debt(endsIn(7n * DAY)))).toBeNull();
    expect(fails(debt(endsIn(7n * DAY + 1n)))).toBe(6161);
    expect(fails(debt(endsIn(-100n * DAY)))).toBeNull();
  });

  it('follows the window of the debt, unless the market has none', () => {
    const days = { fixedTermRolloverWindowDurationDays: 2 };
    expect(fails(debt(endsIn(2n * DAY), days))).toBeNull();
    expect(fails(debt(endsIn(2n * DAY + 1n), days))).toBe(6161);
    expect(fails(debt(endsIn(20n * DAY), { fixedTermRolloverWindowDurationDays: 20 }))).toBeNull();
    expect(fails(debt(endsIn(0n), days), { fixedTermRolloverWindowDurationSeconds: 0n })).toBe(6164);
  });

  it('has a window of its own for a move to no term', () => {
    const days = { fixedTermRolloverWindowDurationDays: 20 };
    const into = (seconds: bigint, market: Market = {}) =>
      failure(benchOf(loan(), debt(endsIn(seconds), days), market), OPEN);
    expect(into(3n * DAY)).toBeNull();
    expect(into(3n * DAY + 1n)).toBe(6161);
    expect(into(0n, { openTermRolloverWindowDurationSeconds: 0n })).toBe(6164);
  });

  it('is not known for a debt whose time of borrowing was not stored', () => {
    expect(fails(debt({ lastBorrowedAtTimestamp: 0n }))).toBe(6160);
  });
});

describe('the terms of the owner', () => {
  it('must allow it', () => {
    expect(fails(debt({}, { autoRolloverEnabled: 0, migrationToFixedEnabled: 1 }))).toBe(6162);
    const open = { ...loan(), borrows: [[OPEN, DEBT] as const] };
    const bench = benchOf(open, debt({}, { migrationToFixedEnabled: 0 }));
    expect(bench.failureOf(bench.rolling(SOURCE, {}, OPEN))).toBe(6162);
    bench.store(debt({}, { migrationToFixedEnabled: 1 }));
    expect(bench.failureOf(bench.rolling(OPEN, {}, OPEN))).toBe(6163);
    bench.change(lendingMarket, MARKET, { obligationBorrowMigrationToFixedExecutionEnabled: 0 });
    expect(bench.failureOf(bench.rolling(SOURCE, {}, OPEN))).toBe(6164);
  });

  it('limit the rate and the term of the new reserve', () => {
    expect(fails(debt({}, { maxBorrowRateBps: 4_999 }))).toBe(6163);
    expect(fails(debt({}, { minDebtTermSeconds: 3n * TERM }))).toBeNull();
    expect(fails(debt({}, { minDebtTermSeconds: 3n * TERM + 1n }))).toBe(6163);
    expect(fails(debt({}, { minDebtTermSeconds: 0n }))).toBe(6163);
    const last = debt({ lastBorrowedAtTimestamp: NOW.timestamp - 29n * DAY }, { maxBorrowRateBps: 1 });
    // No rate limits a move to no term.
    expect(failure(benchOf(loan(), last), OPEN)).toBeNull();
    expect(failure(benchOf(loan(), debt({}, { openTermAllowed: 0 })), OPEN)).toBe(6163);
  });
});

describe('a debt in the new reserve', () => {
  const joined = (terms: Partial<typeof TERMS>, since: bigint) => {
    const bench = benchOf({
      ...loan(),
      borrows: [
        [SOURCE, DEBT],
        [LONGER, 100n],
      ],
    });
    bench.change(obligationLayout, bench.obligationAddress, {
      borrows: [
        {},
        { lastBorrowedAtTimestamp: since, fixedTermBorrowRolloverConfig: { ...TERMS, ...terms } },
      ],
    });
    return bench;
  };

  it('takes it in under the same settings, whose window of days does not count', () => {
    const bench = joined({ fixedTermRolloverWindowDurationDays: 8 }, NOW.timestamp);
    expect(failure(bench, LONGER)).toBeNull();
    const [first, second] = bench.obligation().borrows;
    expect(first?.borrowedAmountSf).toBe(0n);
    expect(second?.borrowedAmountSf).toBe((DEBT + 101n) * FRACTION_ONE);
    expect(second?.fixedTermBorrowRolloverConfig.fixedTermRolloverWindowDurationDays).toBe(0);
    for (const other of [{ maxBorrowRateBps: 4_000 }, { openTermAllowed: 0 }, { minDebtTermSeconds: 1n }]) {
      expect(failure(joined(other, NOW.timestamp), LONGER)).toBe(6167);
    }
  });

  it('must end later', () => {
    const end = SINCE + TERM;
    expect(failure(joined({}, end - 3n * TERM + 1n), LONGER)).toBeNull();
    expect(failure(joined({}, end - 3n * TERM), LONGER)).toBe(6168);
  });
});

describe('limits of the new reserve', () => {
  const lends = (config: ReserveSetting['config'], available = 600_000_000_000n) =>
    fails(debt(), {}, loan({ config, available }));

  it('refuse a rollover once nothing can be lent', () => {
    expect(lends({}, 0n)).toBe(6008);
    expect(lends({ borrowLimit: 400_000_000_000n })).toBe(6089);
    expect(lends({ borrowLimitOutsideElevationGroup: 0n })).toBe(6101);
    expect(lends({ utilizationLimitBlockBorrowingAbovePct: 40 })).toBe(6098);
    const cap = { configCapacity: 5n, currentTotal: 5n, configIntervalLengthSeconds: 100n };
    const lastIntervalStartTimestamp = NOW.timestamp;
    expect(lends({ debtWithdrawalCap: { ...cap, lastIntervalStartTimestamp } })).toBe(6064);
  });

  it('are checked before the collateral, which must cover the fraction that is added', () => {
    const change = { obligationOrders: [] };
    const setting = { ...loan({}, {}, change), deposits: [[0, 660_000_000n] as const] };
    // 75 % of 660 dollars are less than the debt.
    expect(fails(debt(), {}, setting)).toBe(6013);
    expect(fails(debt({ borrowedAmountSf: DEBT * FRACTION_ONE }), {}, setting)).toBeNull();
  });
});

describe('the state of market, reserves and obligation', () => {
  it('is checked in the order of the program', () => {
    const [yes, no] = [debt(), debt({}, { autoRolloverEnabled: 0 })];
    expect(fails(no, { emergencyMode: 1 })).toBe(6042);
    expect(fails(no, {}, loan({ config: { status: 1 } }))).toBe(6082);
    expect(fails(no, {}, loan({}, { emergencyMode: 1 }))).toBe(6175);
    expect(fails(no, { borrowDisabled: 1 })).toBe(6088);
    expect(fails(no, {}, loan({ config: { debtMaturityTimestamp: NOW.timestamp } }))).toBe(6139);
    const marked = { autodeleverageMarginCallStartedTimestamp: 1n };
    expect(fails(no, {}, loan({}, {}, marked))).toBe(6115);
    expect(fails(no, {}, loan({ config: { borrowFactorPct: 101n } }))).toBe(6163);
    expect(fails(yes, {}, loan({ config: { debtMaturityTimestamp: NOW.timestamp + 1n } }))).toBeNull();
  });

  it('must be fresh', () => {
    const bench = benchOf();
    expect(bench.failureOf([bench.instruction(LONGER)])).toBe(6017);
    expect(bench.failureOf(bench.rolling(LONGER))).toBeNull();
    // Both reserves and the obligation are stale afterwards.
    expect(bench.failureOf([bench.instruction(SOURCE, {}, LONGER)])).toBe(6009);
  });

  it('may be that of anyone, but the debt must be there, and in the same token', () => {
    const bench = benchOf();
    expect(bench.failureOf(bench.rolling(LONGER, {}, OPEN))).toBe(6025);
    expect(bench.failureOf(bench.rolling(OTHER_TOKEN))).toBe(6159);
    const wrongVault = { targetBorrowReserveLiquidity: bench.reserve(OPEN).liquidity.supplyVault };
    expect(bench.failureOf(bench.rolling(LONGER, wrongVault))).toBe(2012);
    expect(bench.failureOf(bench.rolling(LONGER, { lendingMarketAuthority: MARKET }))).toBe(2006);
    const refused = (build: () => unknown) => {
      try {
        build();
      } catch (error) {
        return isCodedError(error, 'BUILD_REFUSED') || isCodedError(error, 'KLEND_POSITION_NOT_FOUND');
      }
      return false;
    };
    expect(refused(() => bench.rollOver(OTHER_TOKEN))).toBe(true);
    expect(refused(() => bench.rollOver(LONGER, OPEN))).toBe(true);
  });

  it('has five places for debts', () => {
    const reserves = [...(loan({ available: 200_000_000n }).reserves ?? []), {}, {}, {}, {}];
    const small = [4, 5, 6, 7].map((index) => [index, 1_000n] as const);
    const bench = benchOf({ ...loan(), reserves, borrows: [[SOURCE, DEBT], ...small] });
    expect(failure(bench, LONGER)).toBe(6018);
    const [first] = bench.rollOver(LONGER).preview().warnings;
    expect(first).toMatchObject({ code: 'OBLIGATION_FULL', message: expect.stringContaining('6018') });
  });
});
