import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { Rational } from '@sluice/protocol/numeric/rational';
import { describe, expect, it } from 'vitest';
import { cases } from '../../packages/protocol/test/support/cases.ts';
import { withChanges } from '../../src/builders/account-changes.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import { type LendingSetting, reserveAddress } from '../support/builders/lending-accounts.ts';
import { withLoweredLimits } from '../support/lending/lowered-limits.ts';
import { oracleState } from '../support/lending/oracle-states.ts';
import { debtUnits, depositUnits } from '../support/lending/position-units.ts';
import { Chance } from '../support/lending/random-states.ts';
import { worth } from '../support/lending/worth.ts';
import {
  type BuiltRepayWithdraw,
  type RepayWithdraw,
  RepayWithdrawBench,
} from '../support/localnet/repay-withdraw-bench.ts';

/**
 * Repayments with withdrawals in random markets, many of the loans above their maximum LTV: the preview is the outcome to the
 * base unit, and has an error exactly when the program refuses.
 */

const LANDED = cases(40, 330);
const RICH = 10n ** 18n;
/** Among the outcomes of a few cases; rarer ones are wanted of many. */
const USUAL = [
  '6008',
  '6011',
  '6093',
  '6116',
  '6117',
  'above the limit',
  'all repaid',
  'all withdrawn',
  'group',
];

const some = <T>(items: readonly T[], chance: Chance): T | undefined =>
  items[Number(chance.below(BigInt(items.length)))];

/** Every second market lowers its maximum LTVs after the loan was taken, and so leaves it above the limit. */
function settingOf(seed: number, chance: Chance): LendingSetting {
  const setting = oracleState(seed, chance, RICH);
  return seed % 2 === 0 ? setting : withLoweredLimits(setting, chance);
}

/** A repayment of a part or all of a debt, and a withdrawal worth about as much, or of any part. Null without positions. */
function randomCall(bench: RepayWithdrawBench, chance: Chance): RepayWithdraw | null {
  const { deposits, borrows } = bench.obligation();
  const owed = [0, 1, 2].flatMap((index) => {
    const debt = borrows.find(({ borrowReserve }) => borrowReserve === reserveAddress(index));
    return debt === undefined ? [] : [{ index, units: debt.borrowedAmountSf / FRACTION_ONE }];
  });
  const held = [0, 1, 2].flatMap((index) => {
    const deposit = deposits.find(({ depositReserve }) => depositReserve === reserveAddress(index));
    return deposit === undefined ? [] : [{ index, units: deposit.depositedAmount }];
  });
  const [debt, deposit] = [some(owed, chance), some(held, chance)];
  if (debt === undefined || deposit === undefined) return null;
  const part = 1n + chance.below(debt.units);
  const near = (worth(bench, part, debt.index, deposit.index) * (700n + chance.below(600n))) / 1_000n + 1n;
  const most = 10n ** 19n;
  const withdrawn = chance.hit(0.7) ? near : 1n + chance.below(deposit.units);
  return {
    from: debt.index,
    to: deposit.index,
    repay: chance.hit(0.2) ? { all: true } : { baseUnits: part },
    withdraw: chance.hit(0.2) ? { all: true } : { baseUnits: withdrawn < most ? withdrawn : most },
  };
}

/** Compares the preview with the outcome. Returns the error of the program, or null. */
function compare(
  bench: RepayWithdrawBench,
  call: RepayWithdraw,
  { step, errors }: BuiltRepayWithdraw,
  seed: number,
) {
  const preview = step.preview();
  const { obligationAddress: address } = bench;
  // What would be refused may exceed what accounts can hold.
  const changes = errors.length > 0 ? new Map() : step.after();
  const promised = bench.exactState(withChanges(bench.read, changes), call);
  const before = [bench.walletUnits(call.from), bench.walletUnits(call.to)] as const;
  const failure = bench.failureOf(step.action.instructions);
  expect({ seed, errors, isRefused: errors.length > 0, failure }).toEqual({
    seed,
    errors,
    isRefused: failure !== null,
    failure,
  });
  if (failure !== null) return failure;
  expect({ seed, ...bench.exactState(bench.read, call) }).toEqual({ seed, ...promised });
  const isOpen = (bench.get(address)?.data.length ?? 0) > 0;
  const [debt, deposit] = [debtUnits, depositUnits].map((unitsIn, i) => {
    const index = i === 0 ? call.from : call.to;
    const units = isOpen ? unitsIn(bench, address, reserveAddress(index)) : Rational.of(0n);
    return toDecimalString(units.div(Rational.of(10n ** bench.reserve(index).liquidity.mintDecimals)));
  });
  expect(
    preview.positions.map(({ side, tokens }) => [side, tokens.after && toDecimalString(tokens.after)]),
  ).toEqual([
    ['DEBT', debt],
    ['DEPOSIT', deposit],
  ]);
  const gained = [bench.walletUnits(call.from) - before[0], bench.walletUnits(call.to) - before[1]];
  const promisedGains = preview.walletChanges.map(({ amount }) => amount);
  // Two halves of one token are one balance.
  const isOneToken = call.from === call.to;
  expect(gained).toEqual(
    isOneToken ? gained.map(() => promisedGains.reduce((a, b) => a + b)) : promisedGains,
  );
  const after = preview.loanToValue?.after;
  // The program refreshes the obligation at its end, and so stores the values.
  const { borrowFactorAdjustedDebtValueSf: debtSf, depositedValueSf: depositsSf } = isOpen
    ? bench.obligation()
    : { borrowFactorAdjustedDebtValueSf: 0n, depositedValueSf: 0n };
  if (after && depositsSf > FRACTION_ONE) {
    const stored = Rational.of(debtSf, depositsSf);
    expect({ seed, ltv: toDecimalString(after).slice(0, 12) }).toEqual({
      seed,
      ltv: toDecimalString(stored).slice(0, 12),
    });
  }
  return null;
}

describe('a repayment with a withdrawal in random markets', () => {
  it(`is previewed to the base unit, over ${LANDED} that land`, { timeout: 300_000 }, () => {
    let landed = 0;
    const seen = new Map<string, number>();
    const see = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
    for (let seed = 1; landed < LANDED && seed < 20_000; seed += 1) {
      const chance = new Chance(seed + 4_000_000);
      const bench = new RepayWithdrawBench(settingOf(seed, chance));
      const call = randomCall(bench, chance);
      if (call === null) continue;
      let built: BuiltRepayWithdraw;
      try {
        built = bench.build(call);
      } catch (error) {
        if (!isCodedError(error)) throw error;
        see(error.code);
        continue;
      }
      const { before } = built.step.preview().loanToValue ?? { before: null };
      const { before: limit } = built.step.preview().maxLtv ?? { before: null };
      const failure = compare(bench, call, built, seed);
      see(failure === null ? 'landed' : String(failure));
      for (const code of built.errors) see(code);
      if (failure !== null) continue;
      landed += 1;
      if ('all' in call.repay) see('all repaid');
      if ('all' in call.withdraw) see('all withdrawn');
      if (call.from === call.to) see('one reserve');
      if (before && limit && before.compare(limit) > 0) see('above the limit');
      if (bench.accounts.obligation?.elevationGroup === 1) see('group');
      for (const { kind } of built.step.preview().fees) see(kind);
    }
    expect(landed, JSON.stringify([...seen])).toBe(LANDED);
    const rare = ['6009', '6092', '6118', '6119', 'one reserve', 'EARLY_REPAY_PENALTY'];
    const wanted = [...USUAL, ...rare.slice(0, cases(0, rare.length))];
    expect(
      wanted.filter((each) => !seen.has(each)),
      JSON.stringify([...seen]),
    ).toEqual([]);
  });
});
