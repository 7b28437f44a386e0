import { describe, expect, it } from 'vitest';
import { cases } from '../../packages/protocol/test/support/cases.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import { reserveAddress } from '../support/builders/lending-accounts.ts';
import { Chance, randomState } from '../support/lending/random-states.ts';
import { PositionSwapBench } from '../support/localnet/position-swap-bench.ts';

/** The collateral that a quote sells is withdrawn also where the chain has moved on between the quote and the build. */

const CASES = cases(60, 330);

describe('collateral in random markets', () => {
  it(`is sold to the last unit that later builds withdraw, over ${CASES} cases`, () => {
    let built = 0;
    for (let seed = 1; built < CASES && seed < 2_000; seed += 1) {
      const chance = new Chance(seed + 4_000_000);
      const bench = new PositionSwapBench({ ...randomState(seed, true).setting, balances: [0n, 0n, 0n] });
      const [deposit] = bench.obligation().deposits.filter(({ depositedAmount }) => depositedAmount > 0n);
      const from = [0, 1, 2].findIndex((index) => reserveAddress(index) === deposit?.depositReserve);
      if (deposit === undefined || from < 0) continue;
      const part = 1n + chance.below(deposit.depositedAmount);
      const amount = { baseUnits: part };
      const swap = {
        side: 'collateral',
        from,
        to: (from + 1) % 3,
        amount,
        spent: 0n,
        minOut: 10n ** 12n,
      } as const;
      try {
        const { amount: needed } = bench.need(swap);
        if (!('spend' in needed)) expect.fail('an amount out');
        expect(needed.spend).toBeLessThanOrEqual(part);
        if (needed.spend === 0n) continue;
        bench.build({ ...swap, spent: needed.spend }, 1n + chance.below(500n));
        built += 1;
      } catch (error) {
        // Whatever else the random market refuses, it is not the amount of the swap.
        if (!isCodedError(error)) throw error;
        expect({ seed, message: error.message }).not.toMatchObject({
          message: expect.stringContaining('is withdrawn'),
        });
      }
    }
    expect(built).toBe(CASES);
  });
});
