import { Rational } from '@sluice/protocol/numeric/rational';
import { describe, expect, it } from 'vitest';
import { cases } from '../../packages/protocol/test/support/cases.ts';
import { lendingAccounts } from '../../src/builders/lending/accounts.ts';
import {
  type CollateralTarget,
  collateralTarget,
} from '../../src/builders/repay-withdraw/collateral-target.ts';
import { lendingRequest, NOW, reserveAddress } from '../support/builders/lending-accounts.ts';
import { oracleState } from '../support/lending/oracle-states.ts';
import { Chance } from '../support/lending/random-states.ts';
import { RepayWithdrawBench } from '../support/localnet/repay-withdraw-bench.ts';

/** The repayment out of collateral for a health, against the program: it reaches the health, and one base unit less does not. */

const LANDED = cases(12, 330);
const RICH = 10n ** 18n;
const FULL_BPS = 10_000n;

function targetOf(bench: RepayWithdrawBench, health: Rational, lossBps: number): CollateralTarget {
  const half = (action: 'repay' | 'withdraw', index: number) =>
    lendingAccounts(lendingRequest(action, { reserve: reserveAddress(index) }), bench.read, NOW.slot);
  const steps = collateralTarget(
    { repay: half('repay', 2), withdraw: half('withdraw', 0) },
    health,
    lossBps,
    NOW,
  );
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Collateral for so much of the debt's token, rounded up. */
function sold(bench: RepayWithdrawBench, paid: bigint, lossBps: number): bigint {
  const [debt, collateral] = [bench.reserve(2).liquidity, bench.reserve(0).liquidity];
  const n = paid * debt.marketPriceSf * 10n ** collateral.mintDecimals * FULL_BPS;
  const d = collateral.marketPriceSf * 10n ** debt.mintDecimals * (FULL_BPS - BigInt(lossBps));
  return (n + d - 1n) / d;
}

/** The health that the program stores. Null without debt. */
function storedHealth(bench: RepayWithdrawBench): Rational | null {
  const { unhealthyBorrowValueSf, borrowFactorAdjustedDebtValueSf: debtSf } = bench.obligation();
  return debtSf === 0n ? null : Rational.of(unhealthyBorrowValueSf, debtSf);
}

describe('the repayment out of collateral for a health', () => {
  it(`is exact, over ${LANDED} that land`, { timeout: 300_000 }, () => {
    let [landed, exact, above] = [0, 0, 0];
    const limits = new Set<string>();
    for (let seed = 1; landed < LANDED && seed < 10_000; seed += 1) {
      const chance = new Chance(seed + 6_000_000);
      const setting = oracleState(seed, chance, RICH);
      const start = () => new RepayWithdrawBench(setting);
      const bench = start();
      const health = Rational.of(105n + chance.below(60n), 100n);
      const lossBps = chance.pick(0, 50, 300);
      const target = targetOf(bench, health, lossBps);
      if (target.limit !== null) limits.add(target.limit);
      if (target.repay === null || target.withdraw === null) continue;
      const call = { from: 2, to: 0 };
      const given = { ...call, repay: { baseUnits: target.repay }, withdraw: { baseUnits: target.withdraw } };
      const built = bench.build(given);
      if (built.errors.length > 0) continue;
      const { before } = built.step.preview().loanToValue ?? { before: null };
      const { before: most } = built.step.preview().maxLtv ?? { before: null };
      expect({ seed, failure: bench.failureOf(built.step.action.instructions) }).toEqual({
        seed,
        failure: null,
      });
      landed += 1;
      // Both reserves store the price of the oracle now.
      expect(target.withdraw).toBe(sold(bench, target.repay + target.penalty, lossBps));
      if (before && most && before.compare(most) > 0) above += 1;
      const isOpen = bench.account(bench.obligationAddress).data.length > 0;
      const reached = isOpen ? storedHealth(bench) : null;
      expect(reached === null || reached.compare(health) >= 0, `seed ${seed}`).toBe(true);
      if (reached === null || target.penalty > 0n || target.repay === 1n) continue;
      const less = start();
      const units = target.repay - 1n;
      const withdraw = { baseUnits: sold(bench, units, lossBps) };
      const fewer = less.build({ ...call, repay: { baseUnits: units }, withdraw });
      if (less.failureOf(fewer.step.action.instructions) !== null) continue;
      const missed = storedHealth(less);
      expect(missed !== null && missed.compare(health) < 0, `seed ${seed}`).toBe(true);
      exact += 1;
    }
    expect(landed).toBe(LANDED);
    expect([exact > LANDED / 4, above > LANDED / 10]).toEqual([true, true]);
    for (const limit of ['ALREADY_REACHED', 'NO_DEBT', 'POSITION']) expect(limits).toContain(limit);
  });
});
