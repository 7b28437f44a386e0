import { reserve } from '@sluice/protocol/klend/reserve';
import { refreshObligation } from '@sluice/protocol/klend/setup-instructions';
import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { AccountRole } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildLending } from '../../src/builders/lending/action.ts';
import { type HealthTarget, healthTarget } from '../../src/builders/lending/health-target.ts';
import {
  type LendingSetting,
  MARKET,
  NOW,
  type ReserveSetting,
} from '../support/builders/lending-accounts.ts';
import { Chance, randomState } from '../support/lending/random-states.ts';
import { essential } from '../support/localnet/compared-actions.ts';
import { type LendingBench, lendingBench } from '../support/localnet/lending-bench.ts';
import { finished } from '../support/work/finished.ts';

/** Amounts that reach a health, judged by the embedded lending program: its outcome, and that of one base unit less. */

type HealthAction = 'deposit' | 'repay' | 'withdraw';

const ACTIONS: readonly HealthAction[] = ['deposit', 'repay', 'withdraw'];
const ALL_PRICE_CHECKS = 63;
const RICH = 10n ** 18n;

function targetOf(bench: LendingBench, action: HealthAction, target: Rational): HealthTarget {
  const { accounts } = bench;
  return finished(healthTarget({ ...accounts, request: { ...accounts.request, action } }, target, NOW));
}

/** Refreshes the obligation and returns its health as the program stores it; null without debt. */
function storedHealth(bench: LendingBench): Rational | null {
  for (const address of bench.accounts.reserves.keys()) {
    bench.change(reserve, address, {
      lastUpdate: { slot: NOW.slot, stale: 0, priceStatus: ALL_PRICE_CHECKS },
    });
  }
  const { deposits, borrows } = bench.obligation();
  const reserves = [
    ...deposits.map(({ depositReserve }) => depositReserve),
    ...borrows.map(({ borrowReserve }) => borrowReserve),
  ].filter((address) => bench.accounts.reserves.has(address));
  const refresh = refreshObligation.encode(
    MAINNET_PROGRAMS.klend,
    { lendingMarket: MARKET, obligation: bench.obligationAddress },
    {},
    reserves.map((address) => ({ address, role: AccountRole.WRITABLE })),
  );
  expect(bench.failureOf([refresh])).toBeNull();
  const { unhealthyBorrowValueSf, borrowFactorAdjustedDebtValueSf: debt } = bench.obligation();
  return debt === 0n ? null : Rational.of(unhealthyBorrowValueSf, debt);
}

/** The health that the program stores after an action of this size. */
function healthAfter(
  setting: LendingSetting,
  action: HealthAction,
  index: number,
  baseUnits: bigint,
): Rational | null | 'rejected' {
  const bench = lendingBench(setting, action, index);
  if (baseUnits > 0n) {
    const steps = essential(buildLending(bench.accounts, { baseUnits }, NOW).action.instructions);
    if (bench.failureOf(steps) !== null) return 'rejected';
  }
  return storedHealth(bench);
}

const isBelow = (health: Rational | null, target: Rational) => health !== null && health.compare(target) < 0;

describe('the amount that reaches a health', () => {
  it('is exact to the base unit in random obligations', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.constantFrom(...ACTIONS),
        fc.integer({ min: 500, max: 4_000 }),
        (seed, action, thousandths) => {
          const state = randomState(seed);
          const index = action === 'repay' ? 2 : Number(new Chance(seed).below(2n));
          const setting = { ...state.setting, referred: false, balances: [RICH, RICH, RICH] };
          const bench = lendingBench(setting, action, index);
          const target = Rational.of(BigInt(thousandths), 1_000n);
          const { amount, limit } = targetOf(bench, action, target);
          seen.add(`${action} ${limit ?? 'exact'}`);
          if (amount === null) return;
          const health = healthAfter(setting, action, index, amount);
          if (health === 'rejected') expect.fail(`${action} ${amount} is rejected`);
          expect(isBelow(health, target)).toBe(false);
          if (limit === 'POSITION') return;
          const nearer = healthAfter(
            setting,
            action,
            index,
            action === 'withdraw' ? amount + 1n : amount - 1n,
          );
          if (nearer !== 'rejected') expect(isBelow(nearer, target)).toBe(true);
        },
      ),
      { numRuns: 150, seed: 25 },
    );
    for (const action of ACTIONS) expect(seen).toContain(`${action} exact`);
  });
});

const config: ReserveSetting['config'] = {
  loanToValuePct: 75,
  liquidationThresholdPct: 85,
  borrowFactorPct: 100n,
};

/** 1000 USD of collateral that may back 850, and a debt of 700: a health of 1.214. One USD is a token of six decimals. */
const LOAN: LendingSetting = {
  reserves: [{}, {}, {}],
  deposits: [[0, 1_000_000_000n]],
  borrows: [[1, 700_000_000n]],
};

const health = (text: string) => parseDecimal(text);

const asked = (setting: LendingSetting, action: HealthAction, index: number, text: string) =>
  targetOf(lendingBench(setting, action, index), action, health(text));

describe('of a loan of 700 against 1000', () => {
  it('repays what is above 850 / 1.25, and one unit more because the program rounds 85 % down', () => {
    expect(asked(LOAN, 'repay', 1, '1.25').amount).toBe(20_000_001n);
  });

  it('deposits until 85 % of the collateral is 1.3 times the debt', () => {
    // 910 / 0.85 is 1070.588235294...
    const { amount, healthFactor } = asked(LOAN, 'deposit', 0, '1.3');
    expect(amount).toBe(70_588_236n);
    expect(healthFactor && toDecimalString(healthFactor)).toMatch(/^1\.300000000/);
  });

  it('deposits into a reserve that it does not use yet', () => {
    expect(asked(LOAN, 'deposit', 2, '1.3').amount).toBe(70_588_236n);
  });

  it('withdraws down to 840 / 0.85', () => {
    const reserves = [{ config: { ...config, loanToValuePct: 85 } }, {}];
    expect(asked({ ...LOAN, reserves }, 'withdraw', 0, '1.2').amount).toBe(11_764_705n);
  });

  it('repays all where a smaller debt would be below the minimum of the market', () => {
    const market = { minNetValueInObligationSf: 600n * FRACTION_ONE };
    expect(asked({ ...LOAN, market }, 'repay', 1, '2')).toEqual({
      amount: 700_000_000n,
      penalty: 0n,
      healthFactor: null,
      limit: null,
    });
  });

  it('withdraws all of a deposit that the debt does not need, and says so', () => {
    const setting: LendingSetting = {
      ...LOAN,
      deposits: [
        [0, 1_000_000_000n],
        [2, 5_000_000n],
      ],
    };
    const { amount, limit } = asked(setting, 'withdraw', 2, '1.1');
    expect({ amount, limit }).toEqual({ amount: 5_000_000n, limit: 'POSITION' });
  });
});

const cap = {
  configCapacity: 1n,
  configIntervalLengthSeconds: 100n,
  lastIntervalStartTimestamp: NOW.timestamp,
};
const loose = { ...config, loanToValuePct: 85 };

describe('a health that no amount reaches', () => {
  it.each<[HealthTarget['limit'], HealthAction, number, string, LendingSetting]>([
    ['NO_DEBT', 'repay', 1, '2', { ...LOAN, borrows: [] }],
    ['NO_DEBT', 'withdraw', 0, '2', { ...LOAN, borrows: [] }],
    ['ALREADY_REACHED', 'repay', 1, '1.2', LOAN],
    ['ALREADY_REACHED', 'deposit', 0, '1.2', LOAN],
    ['NOTHING_TO_SPARE', 'withdraw', 0, '1.22', LOAN],
    ['NO_POSITION', 'repay', 0, '2', LOAN],
    ['NO_POSITION', 'withdraw', 2, '1.1', LOAN],
    [
      'POSITION',
      'repay',
      2,
      '2',
      {
        ...LOAN,
        borrows: [
          [1, 700_000_000n],
          [2, 1_000_000n],
        ],
      },
    ],
    [
      'NOT_COLLATERAL',
      'deposit',
      2,
      '2',
      { ...LOAN, reserves: [{}, {}, { config: { loanToValuePct: 0, liquidationThresholdPct: 0 } }] },
    ],
    ['PRICE_UNKNOWN', 'repay', 1, '2', { ...LOAN, reserves: [{ oracle: null, priceUsd: 0n }, {}] }],
    ['PRICE_UNKNOWN', 'deposit', 2, '2', { ...LOAN, reserves: [{}, {}, { oracle: null, priceUsd: 0n }] }],
    [
      'PRICE_REFUSED',
      'withdraw',
      0,
      '1.2',
      { ...LOAN, reserves: [{ config: loose }, { oracle: { ageSeconds: 10_000n } }] },
    ],
    [
      'DEPOSIT_LIMIT',
      'deposit',
      0,
      '2',
      { ...LOAN, reserves: [{ config: { ...config, depositLimit: 1n } }, {}] },
    ],
    [
      'LIQUIDITY',
      'withdraw',
      0,
      '1.2',
      { ...LOAN, reserves: [{ config: loose, available: 1n, borrowed: 999_999_999_999n }, {}] },
    ],
    [
      'OUTFLOW',
      'withdraw',
      0,
      '1.2',
      { ...LOAN, reserves: [{ config: { ...loose, depositWithdrawalCap: cap } }, {}] },
    ],
    ['BORROW_LIMIT', 'withdraw', 0, '1.1', LOAN],
    [
      'MINIMUM_VALUE',
      'withdraw',
      0,
      '1.2',
      {
        ...LOAN,
        reserves: [{ config: loose }, {}],
        market: { minNetValueInObligationSf: 990n * FRACTION_ONE },
      },
    ],
    ['NOT_ALLOWED', 'repay', 1, '2', { ...LOAN, market: { emergencyMode: 1 } }],
    ['NOT_ALLOWED', 'deposit', 0, '2', { ...LOAN, reserves: [{ config: { ...config, status: 1 } }, {}] }],
  ])('is %s: %s reserve %i to %s', (limit, action, index, text, setting) => {
    expect(asked(setting, action, index, text)).toEqual({
      amount: null,
      penalty: 0n,
      healthFactor: null,
      limit,
    });
  });
});
