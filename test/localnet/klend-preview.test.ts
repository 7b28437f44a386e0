import type { Reserve } from '@sluice/protocol/klend/reserve';
import { Rational } from '@sluice/protocol/numeric/rational';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AmountInput } from '../../src/builders/amount.ts';
import { lendingOutcome } from '../../src/builders/lending/preview.ts';
import { lendingRefresh } from '../../src/builders/lending/refresh.ts';
import type { LendingAction } from '../../src/builders/lending/request.ts';
import { refreshedObligation } from '../../src/domain/refreshed-obligation.ts';
import { LendingWorld } from '../support/localnet/lending-world.ts';

/** Previews of the builders for the example wallet, against the outcome of their instructions on the localnet. */

let world: LendingWorld;

beforeEach(() => {
  world = new LendingWorld();
});

/** The first obligation is outside groups, the second in one. */
const CASES: readonly (readonly [LendingAction, string, number, AmountInput])[] = [
  ['deposit', 'SOL', 0, { baseUnits: 1_234_567_891n }],
  ['deposit', 'USDT', 0, { baseUnits: 77_000_001n }],
  ['borrow', 'USDC', 0, { baseUnits: 1_234_567n }],
  ['borrow', 'USDC', 0, { all: true }],
  ['borrow', 'USDT', 0, { baseUnits: 77_000_001n }],
  ['borrow', 'wETH', 0, { baseUnits: 12_345n }],
  ['repay', 'USDC', 0, { baseUnits: 999_999n }],
  ['repay', 'USDC', 0, { all: true }],
  ['withdraw', 'SOL', 0, { baseUnits: 1_000_000_001n }],
  ['withdraw', 'SOL', 0, { all: true }],
  ['borrow', 'SOL', 1, { baseUnits: 123_456_789n }],
  ['borrow', 'SOL', 1, { all: true }],
  ['repay', 'SOL', 1, { baseUnits: 1_000_000_001n }],
  ['repay', 'SOL', 1, { all: true }],
];

describe('the preview of a lending action is its outcome', () => {
  it.each(CASES)('%s %s, obligation %i, %o', (action, symbol, index, input) => {
    const wallet = world.fund(symbol, 10n ** 12n, index);
    world.wait(7n);
    const accounts = world.accounts(action, symbol, index);
    const build = world.build(action, symbol, input, index);
    const asked = build.action.all ? 'all' : build.action.amount;
    const { effect, after } = lendingOutcome(accounts, asked, world.moment);
    const { feeVault, supplyVault } = world.reserve(symbol, index).liquidity;
    const feesBefore = world.balance(feeVault);

    expect(world.failureOf(build.action.instructions)).toBeNull();
    const moved = world.balance(wallet) - 10n ** 12n;
    expect(action === 'borrow' || action === 'withdraw' ? moved : -moved).toBe(effect.moved);
    expect(world.balance(feeVault) - feesBefore).toBe(effect.originationFee);
    const { liquidity, collateral } = world.reserve(symbol, index);
    expect(world.balance(supplyVault)).toBe(
      liquidity.totalAvailableAmount + liquidity.rewardsAmountAvailable,
    );
    const promised = effect.reserve;
    expect(liquidity.totalAvailableAmount).toBe(promised.liquidity.totalAvailableAmount);
    expect(liquidity.borrowedAmountSf).toBe(promised.liquidity.borrowedAmountSf);
    expect(feesSf(liquidity)).toBe(feesSf(promised.liquidity));
    expect(liquidity.cumulativeBorrowRateBsf.value).toEqual(promised.liquidity.cumulativeBorrowRateBsf.value);
    expect(collateral.mintTotalSupply).toBe(promised.collateral.mintTotalSupply);

    // A refresh in the same slot stores the values and limits of the new position.
    const refresh = lendingRefresh(world.accounts(action, symbol, index));
    expect(world.failureOf(refresh)).toBeNull();
    const stored = world.obligation(index);
    expect(refreshedObligation(after.obligation, accounts.market, after.reserves)).toMatchObject({
      deposits: stored.deposits
        .filter(({ depositedAmount }) => depositedAmount > 0n)
        .map((each) => ({ collateral: each.depositedAmount, valueSf: each.marketValueSf })),
      debts: stored.borrows
        .filter(({ borrowedAmountSf }) => borrowedAmountSf > 0n)
        .map((each) => ({ amountSf: each.borrowedAmountSf, valueSf: each.marketValueSf })),
      depositedSf: stored.depositedValueSf,
      allowedSf: stored.allowedBorrowValueSf,
      unhealthySf: stored.unhealthyBorrowValueSf,
      factoredSf: stored.borrowFactorAdjustedDebtValueSf,
    });
    const { healthFactor, loanToValue } = build.preview();
    const debt = stored.borrowFactorAdjustedDebtValueSf;
    expectAlike(loanToValue?.after, debt, stored.depositedValueSf);
    if (debt === 0n) expect(healthFactor?.after).toBeNull();
    else expectAlike(healthFactor?.after, stored.unhealthyBorrowValueSf, debt);
  });
});

/** A refresh of a debt settles which part of the fees is a referrer's; the sum does not change. */
const feesSf = (of: Reserve['liquidity']) =>
  of.accumulatedProtocolFeesSf + of.accumulatedReferrerFeesSf + of.pendingReferrerFeesSf;

/** The published ratio, which is exact, and that of the values that the program has rounded. */
function expectAlike(published: Rational | null | undefined, n: bigint, d: bigint): void {
  const distance = (published ?? expect.fail('no ratio')).sub(Rational.of(n, d)).abs();
  expect(distance.compare(Rational.of(1n, 10n ** 14n))).toBe(-1);
}
