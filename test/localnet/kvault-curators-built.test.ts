import { fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer, Rational } from '@sluice/protocol/numeric/rational';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../packages/protocol/test/support/cases.ts';
import type { Action } from '../../src/builders/action.ts';
import {
  giveUpVaultFeesAction,
  investVaultAction,
  setAllocationAction,
  setVaultConfigAction,
  topUpVaultRewardsAction,
  withdrawVaultFeesAction,
  withdrawVaultRewardsAction,
} from '../../src/builders/curator/action.ts';
import { reserveNumbers, vaultNumbers } from '../support/builders/random-vault.ts';
import { NOTHING_KNOWN } from '../support/localnet/built-steps.ts';
import {
  CuratorBench,
  expectOutcome,
  figuresOf,
  isRefused,
  runStep,
} from '../support/localnet/curator-bench.ts';

/** Builds of a vault's curator against the programs of the localnet. */

const TOKEN = 10n ** 6n;
const amounts = fc.oneof(fc.bigInt(1n, 5_000n), fc.bigInt(1n, 10n ** 10n));

const choices = fc.record({
  kind: fc.constantFrom(
    'invest',
    'invest',
    'invest',
    'fees',
    'giveUp',
    'topUp',
    'takeBack',
    'config',
    'weight',
  ),
  index: fc.nat(2),
  amount: amounts,
  all: fc.boolean(),
  weights: fc.tuple(fc.bigInt(0n, 900n), fc.bigInt(0n, 900n), fc.bigInt(0n, 900n)),
  caps: fc.array(fc.oneof(fc.constant(2n ** 64n - 1n), fc.bigInt(0n, 10n ** 12n)), {
    minLength: 3,
    maxLength: 3,
  }),
  collateralCap: fc.oneof({ weight: 3, arbitrary: fc.constant(0n) }, fc.bigInt(1n, 10n ** 11n)),
  unallocatedWeight: fc.oneof(fc.constant(0n), fc.bigInt(1n, 500n)),
  unallocatedCap: fc.oneof(fc.constant(0n), fc.bigInt(1n, 10n ** 10n)),
  minInvest: fc.oneof(fc.constant(0n), fc.bigInt(1n, 10n ** 9n)),
  crankFunds: fc.constantFrom(0n, 1n, 100n),
  delay: fc.constantFrom(0n, 0n, 0n, 2_000_000_000n),
});

type Choice = typeof choices extends fc.Arbitrary<infer T> ? T : never;

function actionOf(bench: CuratorBench, { kind, index, amount, all, weights }: Choice): Action {
  const { request } = bench;
  const reserve = bench.reserveAddress(index);
  const asked = all ? { all: true as const } : { baseUnits: amount };
  switch (kind) {
    case 'invest':
      return investVaultAction(NOTHING_KNOWN, {
        ...request,
        reserve,
        ...(all ? {} : { maxAmount: { baseUnits: amount } }),
      });
    case 'fees':
      return withdrawVaultFeesAction(NOTHING_KNOWN, { ...request, ...(all ? {} : { reserve }) });
    case 'giveUp':
      return giveUpVaultFeesAction(NOTHING_KNOWN, { ...request, amount: asked });
    case 'topUp':
      return topUpVaultRewardsAction(NOTHING_KNOWN, { ...request, amount: { baseUnits: amount } });
    case 'takeBack':
      return withdrawVaultRewardsAction(NOTHING_KNOWN, { ...request, amount: asked });
    case 'config':
      return setVaultConfigAction(NOTHING_KNOWN, request, {
        performanceFeeBps: 2_777,
        rewardPerSecond: Rational.of(amount, TOKEN),
        depositCap: Rational.of(amount, TOKEN),
        unallocatedWeight: weights[1] + 1_000n,
        allocationAdmin: reserve,
      });
    case 'weight':
      return setAllocationAction(NOTHING_KNOWN, {
        ...request,
        reserve,
        weight: weights[0],
        cap: Rational.of(amount, TOKEN),
      });
  }
}

describe('builds of a curator', () => {
  it('change the accounts as they say, to the base unit, and are refused where they say', () => {
    const seen = { done: 0, refused: 0, invested: 0, left: 0, fees: 0 };
    fc.assert(
      fc.property(
        fc.record(vaultNumbers),
        fc.tuple(reserveNumbers, reserveNumbers, reserveNumbers),
        choices,
        (numbers, reserves, choice) => {
          const bench = new CuratorBench();
          bench.fill(
            { ...numbers, reserves },
            {
              unallocatedWeight: choice.unallocatedWeight,
              unallocatedTokensCap: choice.unallocatedCap,
              minInvestAmount: choice.minInvest,
              availableCrankFunds: choice.crankFunds,
              minInvestDelaySlots: choice.delay,
              vaultAllocationStrategy: choice.weights.map((targetAllocationWeight, i) => ({
                targetAllocationWeight,
                tokenAllocationCap: choice.caps[i] ?? 0n,
                ctokenAllocationCap: i === 0 ? choice.collateralCap : 0n,
              })),
            },
          );
          const step = bench.step(actionOf(bench, choice));
          const figures = figuresOf(step);
          const before = bench.balance(bench.tokenAccount);
          if (isRefused(step)) {
            const codes = step.preview().warnings.map(({ code, message }) => `${code}: ${message}`);
            expect(runStep(bench, step), codes.join()).not.toBeNull();
            seen.refused += 1;
            return;
          }
          expectOutcome(bench, step);
          seen.done += 1;
          const state = bench.state();
          const shown = (units: bigint) => integer(units).div(integer(TOKEN));
          if (choice.kind !== 'weight')
            expect(figures.idleTokens.after?.compare(shown(state.tokenAvailable))).toBe(0);
          const paid = bench.balance(bench.tokenAccount) - before;
          expect((figures.received?.amount ?? 0n) - (figures.paid?.amount ?? 0n)).toBe(paid);
          if (choice.kind === 'fees') seen.fees += paid > 0n ? 1 : 0;
          if (choice.kind !== 'invest') return;
          if (step.action.instructions.at(-1)?.name === 'invest') seen.left += 1;
          seen.invested += 1;
          for (const { reserve, targetTokens } of figures.allocations) {
            const slot = state.vaultAllocationStrategy.find((each) => each.reserve === reserve);
            const target = fromScaledFraction(slot?.tokenTargetAllocationSf ?? -1n).div(integer(TOKEN));
            // The program divided the assets before the investment, whose rounding the shareholders gain.
            const gap = target.sub(targetTokens.after ?? integer(0n));
            expect(gap.compare(integer(0n)) <= 0 && gap.compare(Rational.of(-2n, TOKEN)) >= 0).toBe(true);
          }
        },
      ),
      { numRuns: cases(120, 400) },
    );
    expect(seen.done).toBeGreaterThan(40);
    expect(seen.refused).toBeGreaterThan(5);
    expect(seen.invested).toBeGreaterThan(5);
    expect(seen.fees).toBeGreaterThan(2);
  }, 300_000);
});
