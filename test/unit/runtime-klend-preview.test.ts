import { beforeEach, describe, expect, it } from 'vitest';
import type { AmountInput } from '../../src/builders/amount.ts';
import { lendingOutcome } from '../../src/builders/lending-preview.ts';
import { FRACTION_ONE } from '../../src/numeric/fraction.ts';
import { integer } from '../../src/numeric/rational.ts';
import { LendingWorld } from '../support/runtime/lending-world.ts';

/** What the builders promise for the example wallet, against what the embedded chain does with their instructions. */

let world: LendingWorld;

beforeEach(() => {
  world = new LendingWorld();
});

/** The first obligation is outside groups, the second in one. */
const CASES: readonly (readonly ['borrow' | 'repay', string, number, AmountInput])[] = [
  ['borrow', 'USDC', 0, { baseUnits: 1_234_567n }],
  ['borrow', 'USDC', 0, { all: true }],
  ['borrow', 'USDT', 0, { baseUnits: 77_000_001n }],
  ['borrow', 'wETH', 0, { baseUnits: 12_345n }],
  ['repay', 'USDC', 0, { baseUnits: 999_999n }],
  ['repay', 'USDC', 0, { all: true }],
  ['borrow', 'SOL', 1, { baseUnits: 123_456_789n }],
  ['borrow', 'SOL', 1, { all: true }],
  ['repay', 'SOL', 1, { baseUnits: 1_000_000_001n }],
  ['repay', 'SOL', 1, { all: true }],
];

describe('the preview of a borrow or repayment is its outcome', () => {
  it.each(CASES)('%s %s, obligation %i, %o', (action, symbol, index, input) => {
    const wallet = world.fund(symbol, 10n ** 12n, index);
    world.wait(7n);
    const accounts = world.accounts(action, symbol, index);
    const { action: built } = world.build(action, symbol, input, index);
    const { effect, after } = lendingOutcome(accounts, built.all ? 'all' : built.amount, world.moment);
    const { feeVault, supplyVault } = world.reserve(symbol, index).liquidity;
    const feesBefore = world.balance(feeVault);

    expect(world.failureOf(built.instructions)).toBeNull();
    const moved = world.balance(wallet) - 10n ** 12n;
    expect(action === 'borrow' ? moved : -moved).toBe(effect.moved);
    expect(world.balance(feeVault) - feesBefore).toBe(effect.originationFee);
    expect(world.balance(supplyVault)).toBe(world.reserve(symbol, index).liquidity.totalAvailableAmount);

    const address = world.reserveAddress(symbol, index);
    const debt = world.obligation(index).borrows.find(({ borrowReserve }) => borrowReserve === address);
    const owed = debt?.borrowedAmountSf ?? 0n;
    // The builders accrue in exact fractions, the program in 60 bits.
    const difference = integer(owed)
      .sub(after.position.mul(integer(FRACTION_ONE)))
      .abs();
    expect(difference.compare(integer(FRACTION_ONE / 100n))).toBe(-1);
  });
});
