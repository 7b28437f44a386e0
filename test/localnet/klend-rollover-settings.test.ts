import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { reserve } from '@sluice/protocol/klend/reserve';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../packages/protocol/test/support/cases.ts';
import type { WantedRollover } from '../../src/builders/rollover/request.ts';
import type { RolloverTerms } from '../../src/domain/rollover-terms.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import { addressNumber, MARKET, NOW, reserveAddress } from '../support/builders/lending-accounts.ts';
import { readOf } from '../support/localnet/built-steps.ts';
import { RolloverBench, TERM, TERM_LOAN } from '../support/localnet/rollover-bench.ts';

/** The terms of a rollover: the program's checks in its order, what it stores, and builds beside it. */

const DAY = 86_400n;
const OTHER = addressNumber(972);
const ON = { autoRolloverEnabled: 1, maxBorrowRateBps: 800, minDebtTermSeconds: 5n };
const failure = (bench: RolloverBench, ...ask: Parameters<RolloverBench['setting']>) =>
  bench.failureOf([bench.setting(...ask)]);

describe('updateObligationConfig', () => {
  it('stores each setting, in little-endian bytes, and reads no more than it needs', () => {
    const bench = new RolloverBench();
    const { lastUpdate } = bench.obligation();
    expect(failure(bench, 1, [0x20, 3, 0, 0])).toBeNull();
    expect(failure(bench, 2, [0, 0x8d, 0x27, 0, 0, 0, 0, 0, 9, 9])).toBeNull();
    expect(failure(bench, 3, [1])).toBeNull();
    expect(failure(bench, 5, [255])).toBeNull();
    expect(failure(bench, 0, [1])).toBeNull();
    expect(failure(bench, 4, [1])).toBeNull();
    expect(bench.terms).toMatchObject({
      autoRolloverEnabled: 1,
      openTermAllowed: 1,
      migrationToFixedEnabled: 1,
      fixedTermRolloverWindowDurationDays: 255,
      maxBorrowRateBps: 800,
      minDebtTermSeconds: 2_592_000n,
    });
    expect(bench.obligation().lastUpdate).toEqual(lastUpdate);
  });

  it('refuses terms without a rate, and a move to a fixed term without one', () => {
    const bench = new RolloverBench();
    expect(failure(bench, 0, [1])).toBe(6004);
    expect(failure(bench, 1, [1, 0, 0, 0])).toBeNull();
    expect(failure(bench, 4, [1])).toBe(6004);
    expect(failure(bench, 0, [1])).toBeNull();
    expect(failure(bench, 1, [0, 0, 0, 0])).toBe(6004);
    expect(failure(bench, 0, [0])).toBeNull();
    expect(failure(bench, 1, [0, 0, 0, 0])).toBeNull();
  });

  it('refuses what the market has switched off, except to switch it off', () => {
    const bench = new RolloverBench(TERM_LOAN, { obligationBorrowRolloverConfigurationEnabled: 0 });
    expect(failure(bench, 5, [3])).toBeNull();
    bench.store({ fixedTermBorrowRolloverConfig: ON });
    expect(failure(bench, 5, [4])).toBe(6157);
    expect(failure(bench, 3, [1])).toBe(6157);
    expect(failure(bench, 0, [1])).toBe(6157);
    expect(failure(bench, 4, [0])).toBeNull();
    expect(failure(bench, 0, [0])).toBeNull();
    expect(failure(bench, 5, [4])).toBeNull();
  });

  it('refuses a mode, a flag and a value that are none', () => {
    const bench = new RolloverBench();
    expect(failure(bench, 6, [1])).toBe(102);
    for (const mode of [0, 3, 4]) expect(failure(bench, mode, [2])).toBe(6043);
    expect(failure(bench, 1, [1, 2, 3])).toBe('BorshIoError');
    expect(failure(bench, 0, [])).toBe('BorshIoError');
    const cut = bench.setting(2, [1, 2, 3, 4, 5, 6, 7, 8]);
    expect(bench.failureOf([{ ...cut, data: cut.data.slice(0, -1) }])).toBe(102);
  });

  it('demands the owner, one debt of the obligation, and its market', () => {
    const bench = new RolloverBench();
    expect(failure(bench, 0, [1], { owner: OTHER })).toBe(2001);
    expect(failure(bench, 0, [1], { borrowReserve: null })).toBe(6158);
    expect(failure(bench, 0, [1], { depositReserve: reserveAddress(0) })).toBe(6158);
    expect(failure(bench, 0, [1], { borrowReserve: null, depositReserve: reserveAddress(0) })).toBe(6158);
    expect(failure(bench, 0, [1], { borrowReserve: reserveAddress(2) })).toBe(6025);
    expect(failure(new RolloverBench({ ...TERM_LOAN, borrows: [] }), 0, [1])).toBe(6021);
    expect(failure(bench, 0, [1], { lendingMarket: reserveAddress(0) })).toBe(3002);
    bench.change(reserve, reserveAddress(1), { lendingMarket: OTHER });
    expect(failure(bench, 0, [1])).toBe(2001);
  });

  it('refuses everything in an emergency of the market', () => {
    const bench = new RolloverBench();
    bench.change(lendingMarket, MARKET, { emergencyMode: 1 });
    expect(failure(bench, 0, [0])).toBe(6042);
  });
});

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const flag = fc.constantFrom(0, 1);
const rates = fc.constantFrom(0, 1, 900, 0xff_ff_ff_ff);
const terms = fc.constantFrom(0n, 1n, 30n * DAY, (1n << 64n) - 1n);
const days = fc.constantFrom(0, 1, 7, 255);

const stored = fc.record({
  autoRolloverEnabled: flag,
  openTermAllowed: flag,
  migrationToFixedEnabled: flag,
  fixedTermRolloverWindowDurationDays: days,
  maxBorrowRateBps: rates,
  minDebtTermSeconds: terms,
});
const wanted = fc.record({
  enabled: maybe(fc.boolean()),
  openTermAllowed: maybe(fc.boolean()),
  migrationToFixed: maybe(fc.boolean()),
  windowDays: maybe(days),
  maxBorrowRateBps: maybe(rates),
  minTermSeconds: maybe(terms),
});

/** A build without the settings that are left as they are. */
const given = (settings: { readonly [K in keyof WantedRollover]: WantedRollover[K] | undefined }) =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as WantedRollover;

/** The terms that the program never accepts, by its own rule. */
const isSound = (each: RolloverTerms) => {
  if (each.autoRolloverEnabled === 0 && each.migrationToFixedEnabled === 0) return true;
  return (
    each.maxBorrowRateBps !== 0 && (each.migrationToFixedEnabled === 0 || each.minDebtTermSeconds !== 0n)
  );
};

describe('new settings', () => {
  it('are built as the program accepts them, one by one, and leave the account as promised', () => {
    const seen = { built: 0, several: 0, switchedOff: 0, refused: 0 };
    fc.assert(
      fc.property(stored.filter(isSound), wanted, flag, (before, want, isOn) => {
        const bench = new RolloverBench(TERM_LOAN, { obligationBorrowRolloverConfigurationEnabled: isOn });
        bench.store({ fixedTermBorrowRolloverConfig: before });
        const after = {
          autoRolloverEnabled: Number(want.enabled ?? before.autoRolloverEnabled),
          openTermAllowed: Number(want.openTermAllowed ?? before.openTermAllowed),
          migrationToFixedEnabled: Number(want.migrationToFixed ?? before.migrationToFixedEnabled),
          fixedTermRolloverWindowDurationDays: want.windowDays ?? before.fixedTermRolloverWindowDurationDays,
          maxBorrowRateBps: want.maxBorrowRateBps ?? before.maxBorrowRateBps,
          minDebtTermSeconds: want.minTermSeconds ?? before.minDebtTermSeconds,
        };
        const changes = Object.keys(after).filter(
          (name) => after[name as keyof typeof after] !== before[name as keyof typeof after],
        );
        let step: ReturnType<RolloverBench['build']>;
        try {
          step = bench.build(given(want));
        } catch (error) {
          if (!isCodedError(error, 'BUILD_REFUSED')) throw error;
          seen.refused += 1;
          expect(changes.length === 0 || !isSound(after)).toBe(true);
          return;
        }
        expect(step.action.instructions).toHaveLength(changes.length);
        const isRefused = step.preview().warnings.some(({ level }) => level === 'ERROR');
        const failed = bench.failureOf(step.action.instructions);
        expect(failed).toBe(isRefused ? 6157 : null);
        if (isRefused) {
          seen.switchedOff += 1;
          return;
        }
        seen.built += 1;
        if (changes.length > 1) seen.several += 1;
        expect(bench.terms).toMatchObject(after);
        const promised = step.after();
        expect([...promised.keys()]).toEqual([bench.obligationAddress]);
        const found = readOf(bench, bench.obligationAddress) ?? expect.fail('the obligation is gone');
        const account = promised.get(bench.obligationAddress) ?? expect.fail('nothing is promised');
        expect(Buffer.from(account.data).toString('hex')).toBe(Buffer.from(found.data).toString('hex'));
        expect(step.preview().rollover?.termsAfter).toMatchObject(after);
      }),
      { numRuns: cases(150, 400), seed: 20_261_119 },
    );
    expect(Math.min(seen.built, seen.several, seen.switchedOff, seen.refused)).toBeGreaterThan(8);
  }, 120_000);

  it('say from when anyone may roll the debt over', () => {
    const bench = new RolloverBench();
    const endsAt = NOW.timestamp - DAY + TERM;
    const rolloverOf = (settings: WantedRollover) => bench.build(settings).preview().rollover;
    const fixed = { enabled: true, maxBorrowRateBps: 900, minTermSeconds: DAY };
    expect(rolloverOf(fixed)).toMatchObject({ endsAt, rolloverFrom: endsAt - 7n * DAY });
    expect(rolloverOf({ ...fixed, windowDays: 9 })).toMatchObject({ rolloverFrom: endsAt - 9n * DAY });
    const open = { enabled: true, maxBorrowRateBps: 900, openTermAllowed: true };
    expect(rolloverOf(open)).toMatchObject({ rolloverFrom: endsAt - 3n * DAY });
    expect(rolloverOf({ ...fixed, openTermAllowed: true, windowDays: 1 })).toMatchObject({
      rolloverFrom: endsAt - 3n * DAY,
    });
    expect(rolloverOf({ maxBorrowRateBps: 900 })).toMatchObject({ rolloverFrom: null });
  });

  it('are refused without the debt, and for another wallet', () => {
    const bench = new RolloverBench({ ...TERM_LOAN, borrows: [[2, 1_000_000n]] });
    const settings = { enabled: true, maxBorrowRateBps: 900 };
    expect(() => bench.build(settings)).toThrow(
      expect.objectContaining({ code: 'KLEND_POSITION_NOT_FOUND' }),
    );
    expect(() => new RolloverBench().build(settings, OTHER)).toThrow(/belongs to another wallet/);
    expect(() => new RolloverBench().build({ windowDays: 256 })).toThrow(/from 0 to 255/);
    expect(() => new RolloverBench().build({ maxBorrowRateBps: 0.5 })).toThrow(/whole basis points/);
  });
});
