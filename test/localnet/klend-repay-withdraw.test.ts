import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { repayAndWithdraw } from '@sluice/protocol/klend/position-instructions';
import { reserve } from '@sluice/protocol/klend/reserve';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import type { AmountInput } from '../../src/builders/amount.ts';
import type { BuiltInstruction } from '../../src/builders/built-instruction.ts';
import {
  addressNumber,
  type LendingSetting,
  MARKET,
  reserveAddress,
} from '../support/builders/lending-accounts.ts';
import { aboveLimit } from '../support/builders/repay-withdraw-triggers.ts';
import { RepayWithdrawBench } from '../support/localnet/repay-withdraw-bench.ts';

/** Repayments with withdrawals on the localnet: 1000 USD in reserve 1 against 800 owed in reserve 0, and limits of 750 and 850. */

const { klend } = MAINNET_PROGRAMS;
const TEN = { baseUnits: 10_000_000n };
const ALL = { all: true } as const;

const bench = (setting: LendingSetting = {}) => new RepayWithdrawBench(aboveLimit(setting));

function instructionsOf(on: RepayWithdrawBench, repay: AmountInput, withdraw: AmountInput, to = 1) {
  return on.build({ from: 0, to, repay, withdraw }).step.action.instructions;
}

const attempt = (on: RepayWithdrawBench, repay: AmountInput = TEN, withdraw: AmountInput = TEN, to = 1) =>
  on.failureOf(instructionsOf(on, repay, withdraw, to));

/** With another address in place of the account of this name. */
const replaced = (instructions: readonly BuiltInstruction[], label: string, address: string) =>
  instructions.map((each) => ({
    ...each,
    accounts: each.accounts.map((account, i) =>
      each.name === repayAndWithdraw.name && each.labels[i] === label
        ? { ...account, address: address as typeof account.address }
        : account,
    ),
  }));

describe('repayAndWithdrawAndRedeem', () => {
  it('lowers a loan above its maximum LTV, and leaves it above', () => {
    const on = bench();
    expect(attempt(on)).toBeNull();
    const { deposits, borrows, borrowFactorAdjustedDebtValueSf: debtSf, lastUpdate } = on.obligation();
    expect([deposits[0]?.depositedAmount, borrows[0]?.borrowedAmountSf]).toEqual([
      990_000_000n,
      790_000_000n * FRACTION_ONE,
    ]);
    expect([debtSf / FRACTION_ONE, lastUpdate.stale]).toEqual([790n, 1]);
    expect([on.reserve(0).lastUpdate.stale, on.reserve(1).lastUpdate.stale]).toEqual([0, 1]);
    expect([on.walletUnits(0), on.walletUnits(1)]).toEqual([
      10n ** 12n - 10_000_000n,
      10n ** 12n + 10_000_000n,
    ]);
  });

  it('rescues a loan that can be liquidated', () => {
    const on = bench({ borrows: [[0, 870_000_000n]] });
    expect(attempt(on, { baseUnits: 300_000_000n }, { baseUnits: 300_000_000n })).toBeNull();
    expect(on.obligation().borrowFactorAdjustedDebtValueSf / FRACTION_ONE).toBe(570n);
  });

  it('closes the obligation with its last position', () => {
    const on = bench();
    expect(attempt(on, ALL, ALL)).toBeNull();
    expect(on.account(on.obligationAddress).data).toHaveLength(0);
  });

  it.each<[number, string, () => RepayWithdrawBench, AmountInput, AmountInput]>([
    [6093, 'an LTV that would rise', bench, TEN, { baseUnits: 12_600_000n }],
    [6093, 'all of the deposit while debt remains', bench, TEN, ALL],
    [6011, 'more than the liquidation threshold allows', bench, TEN, { baseUnits: 500_000_000n }],
    [6116, 'a loan that stays above the threshold', () => bench({ borrows: [[0, 870_000_000n]] }), TEN, TEN],
    [
      6092,
      'a debt that would be too small',
      () => bench({ market: { minNetValueInObligationSf: 2n * FRACTION_ONE } }),
      { baseUnits: 799_000_000n },
      TEN,
    ],
    [
      6008,
      'more than the reserve has',
      () => bench({ reserves: [{}, { available: 5_000_000n, borrowed: 999_995_000_000n }, {}] }),
      TEN,
      TEN,
    ],
  ])('%s: %s', (code, _, start, repay, withdraw) => {
    expect(attempt(start(), repay, withdraw)).toBe(code);
  });

  it.each<[number, number]>([
    [6117, 0],
    [6118, 50],
  ])('%s: another deposit with a maximum LTV of %s %%', (code, loanToValuePct) => {
    const on = bench({
      reserves: [{}, {}, { config: { loanToValuePct, liquidationThresholdPct: 85 } }],
      deposits: [
        [1, 900_000_000n],
        [2, 100_000_000n],
      ],
    });
    expect(attempt(on)).toBe(code);
    expect(attempt(on, TEN, TEN, 2)).toBe(loanToValuePct === 0 ? 6117 : null);
  });

  it('6009: a debt that is closed in a reserve with another deposit, unless that one is withdrawn', () => {
    const both = {
      deposits: [
        [0, 500_000_000n],
        [1, 900_000_000n],
      ] as const,
    };
    expect(attempt(bench(both), ALL, TEN)).toBe(6009);
    expect(attempt(bench(both), { baseUnits: 799_000_000n }, TEN)).toBeNull();
    expect(attempt(bench(both), ALL, TEN, 0)).toBeNull();
  });

  it('6020: deposits without value', () => {
    const on = bench();
    const instructions = instructionsOf(on, TEN, TEN);
    on.change(obligation, on.obligationAddress, { depositedValueSf: 0n });
    expect(on.failureOf(instructions.slice(-1))).toBe(6020);
  });

  it('6112, 6113: halves of different wallets and obligations', () => {
    const on = bench();
    const instructions = instructionsOf(on, TEN, TEN);
    const other = addressNumber(990);
    on.set(other, on.account(on.obligationAddress));
    expect(on.failureOf(replaced(instructions, 'owner', other))).toBe(6112);
    expect(on.failureOf(replaced(instructions, 'obligation', other))).toBe(6113);
  });

  it('6042, 6175: in an emergency of the market or of a reserve', () => {
    const market = bench();
    const instructions = instructionsOf(market, TEN, TEN);
    market.change(lendingMarket, MARKET, { emergencyMode: 1 });
    expect(market.failureOf(instructions.slice(-1))).toBe(6042);
    const on = bench();
    const built = instructionsOf(on, TEN, TEN);
    on.change(reserve, reserveAddress(1), { config: { emergencyMode: 1 } });
    expect(on.failureOf(built)).toBe(6175);
  });

  it('has the bytes of the interface: the discriminator, then both amounts', () => {
    const [call] = instructionsOf(bench(), ALL, { baseUnits: 258n }).slice(-1);
    expect(Buffer.from(call?.data ?? []).toString('hex')).toBe(
      `0236980394606dda${'ff'.repeat(8)}0201000000000000`,
    );
    expect([call?.programAddress, call?.accounts.length]).toEqual([klend, 28 + 2]);
  });
});
