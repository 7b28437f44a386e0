import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../packages/protocol/test/support/cases.ts';
import { investVaultAction } from '../../src/builders/curator/action.ts';
import { planRebalance, type Rebalance } from '../../src/builders/curator/rebalance.ts';
import type { VaultTargetsInput } from '../../src/builders/curator/rebalance-targets.ts';
import { reserveNumbers, vaultNumbers } from '../support/builders/random-vault.ts';
import { momentOf, NOTHING_KNOWN, readOf } from '../support/localnet/built-steps.ts';
import { CuratorBench, expectOutcome, runStep } from '../support/localnet/curator-bench.ts';

/** Rebalances of a vault against the programs of the localnet. */

const choices = fc.record({
  present: fc.tuple(fc.bigInt(0n, 900n), fc.bigInt(0n, 900n), fc.bigInt(0n, 900n)),
  weights: fc.tuple(fc.bigInt(0n, 900n), fc.bigInt(0n, 900n), fc.bigInt(0n, 900n)),
  leaves: fc.option(fc.nat(2), { nil: null }),
  unallocatedWeight: fc.oneof(fc.constant(0n), fc.bigInt(1n, 500n)),
  minInvest: fc.oneof(fc.constant(0n), fc.bigInt(1n, 10n ** 6n)),
  crankFunds: fc.constantFrom(0n, 1n, 100n),
  delay: fc.constantFrom(0n, 0n, 0n, 0n, 0n, 2_000_000_000n),
});

function planOn(bench: CuratorBench, wanted: VaultTargetsInput): Rebalance {
  const moment = momentOf(bench);
  const planning = planRebalance(
    NOTHING_KNOWN,
    { ...bench.request, programs: MAINNET_PROGRAMS, lookupTables: [] },
    wanted,
    (address) => readOf(bench, address),
    { slot: bench.clock.slot, moment, payer: bench.wallet },
  );
  for (;;) {
    const { done, value } = planning.next();
    if (done === true) return value;
  }
}

describe('a rebalance', () => {
  it('changes the accounts as it says, to the base unit, and leaves nothing to move', () => {
    const seen = { moves: 0, stopped: 0, removed: 0, cut: 0 };
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
              minInvestAmount: choice.minInvest,
              availableCrankFunds: choice.crankFunds,
              minInvestDelaySlots: choice.delay,
              vaultAllocationStrategy: choice.present.map((targetAllocationWeight) => ({
                targetAllocationWeight,
                tokenAllocationCap: 2n ** 64n - 1n,
                ctokenAllocationCap: 0n,
              })),
            },
          );
          const plan = planOn(bench, {
            targets: choice.weights.map((weight, index) => ({
              reserve: bench.reserveAddress(index),
              ...(choice.leaves === index ? { remove: true } : { weight }),
            })),
            unallocatedWeight: choice.unallocatedWeight,
          });
          for (const { built } of plan.steps) expectOutcome(bench, built);
          const state = bench.state();
          expect(plan.after.vault.tokenAvailable).toBe(state.tokenAvailable);
          expect(state.unallocatedWeight).toBe(choice.unallocatedWeight);
          const stopped = new Set(plan.obstacles.map(({ reserve }) => reserve));
          for (const [index, weight] of choice.weights.entries()) {
            const reserve = bench.reserveAddress(index);
            const slot = state.vaultAllocationStrategy.find((each) => each.reserve === reserve);
            if (slot === undefined) {
              expect(choice.leaves).toBe(index);
              seen.removed += 1;
              continue;
            }
            expect(slot.targetAllocationWeight).toBe(choice.leaves === index ? 0n : weight);
            if (stopped.has(reserve)) continue;
            expect(choice.leaves).not.toBe(index);
          }
          if (plan.obstacles.length === 0) expectAtTargets(bench);
          seen.moves += plan.steps.filter(({ built }) => built.kind === 'INVEST_VAULT').length;
          seen.stopped += plan.obstacles.length > 0 ? 1 : 0;
          seen.cut += plan.obstacles.filter(
            ({ code, reserve }) =>
              code === 'LIQUIDITY_TOO_LOW' &&
              plan.steps.some((step) => step.reserve === reserve && step.built.kind === 'INVEST_VAULT'),
          ).length;
        },
      ),
      { numRuns: cases(60, 300) },
    );
    expect(seen.moves).toBeGreaterThan(40);
    expect(seen.stopped).toBeGreaterThan(5);
    expect(seen.removed).toBeGreaterThan(2);
    expect(seen.cut).toBeGreaterThan(2);
  }, 300_000);
});

/** Each move rounds by a base unit, and the collateral tokens of a reserve may be worth more than one. */
const ROUNDING = 100n;

/** The program itself finds nothing more to move than what rounding left. */
function expectAtTargets(bench: CuratorBench): void {
  bench.changeVault({ minInvestDelaySlots: 0n, minInvestAmount: 0n });
  for (const { reserve } of bench.state().vaultAllocationStrategy) {
    if (!bench.vault.allocations.some((each) => each.reserve.address === reserve)) continue;
    const before = bench.state().tokenAvailable;
    const step = bench.step(investVaultAction(NOTHING_KNOWN, { ...bench.request, reserve }));
    if (runStep(bench, step) !== null) continue;
    const moved = bench.state().tokenAvailable - before;
    expect(moved < 0n ? -moved : moved).toBeLessThan(ROUNDING);
  }
}
