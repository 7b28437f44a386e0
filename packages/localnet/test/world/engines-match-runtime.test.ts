import { beforeAll, expect, test } from 'vitest';
import { Random } from '../../src/world/prng.ts';
import { EngineAndRuntime } from '../support/world/engine-and-runtime.ts';
import { lendingCases } from '../support/world/lending-cases.ts';
import { vaultCases } from '../support/world/vault-cases.ts';

const CASES = 40;
/** So many must run to the end on both sides, because chance also picks positions that cannot do the action. */
const LEAST = 12;

/**
 * Intended differences. Two are evened out before the comparison: engines leave accounts as after the refresh that follows an
 * action, so the runtime is given that refresh; and they let wallets pay a priority fee, which is added to what they leave.
 *
 * The others are refusals: what the engines do and the programs refuse. The engines follow the effects of an action; whether it is within the limits of
 * market and reserve is left to the plan of the past.
 */
const LEFT_TO_THE_PLAN: Readonly<Record<string, string>> = {
  BorrowTooLarge: 'the plan borrows beyond the limit to have unhealthy positions at present prices',
  WithdrawTooLarge: 'as above',
  MaximumWithdrawValueZero: 'as above',
  BorrowLimitExceeded: 'the limits are those of the present, and reserves that are now closed once were open',
  BorrowingAboveUtilizationRateDisabled: 'as above',
  MissingPermissioner: 'the authority of a permissioned reserve has let in who is there',
};

let subject: EngineAndRuntime;
beforeAll(() => {
  subject = new EngineAndRuntime('engines');
});

test.each(Object.entries({ ...lendingCases, ...vaultCases }))(
  '%s: engine and runtime leave the same accounts',
  (name, run) => {
    const random = new Random('engines', name);
    let ran = 0;
    for (let i = 0; i < CASES; i += 1) {
      subject.advance(BigInt(random.magnitude(1, 20_000)));
      const comparison = run(subject, random);
      if (comparison?.kind === 'refused') expect(Object.keys(LEFT_TO_THE_PLAN)).toContain(comparison.error);
      if (comparison?.kind !== 'ran') continue;
      expect(comparison.differences, `case ${i}`).toEqual([]);
      ran += 1;
    }
    expect(ran).toBeGreaterThanOrEqual(LEAST);
  },
);
