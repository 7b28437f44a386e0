import { referrerTokenStateAddress } from '@sluice/protocol/klend/addresses';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { reserve } from '@sluice/protocol/klend/reserve';
import { refreshObligation } from '@sluice/protocol/klend/setup-instructions';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { ProgramState, Refusal } from '../../packages/localnet/test/support/lending/program-state.ts';
import { presentObligation } from '../../src/builders/lending/effects.ts';
import {
  addressNumber,
  type LendingSetting,
  MARKET,
  NOW,
  REFERRER,
  reserveAddress,
  WALLET,
} from '../support/builders/lending-accounts.ts';
import { randomState } from '../support/lending/random-states.ts';
import { type LendingBench, lendingBench } from '../support/localnet/lending-bench.ts';

const { klend } = MAINNET_PROGRAMS;
const STATES = 300;

const stateOf = (index: number) => referrerTokenStateAddress(klend, REFERRER, reserveAddress(index)).address;

function refresh(bench: LendingBench, referrerStates: readonly Address[] = []) {
  const { deposits, borrows } = bench.obligation();
  const reserves = [
    ...deposits.map((each) => each.depositReserve),
    ...borrows.map((each) => each.borrowReserve),
  ];
  const remaining = [...reserves.filter((each) => each !== NO_ADDRESS), ...referrerStates];
  return refreshObligation.encode(
    klend,
    { lendingMarket: MARKET, obligation: bench.obligationAddress },
    {},
    remaining.map((address) => ({ address, role: AccountRole.WRITABLE })),
  );
}

/** State of the second implementation after its refresh; null when it refuses. */
function expectedOf(bench: LendingBench): ProgramState | null {
  const { market, reserves } = bench.accounts;
  const moment = { slot: NOW.slot, timestamp: NOW.timestamp };
  try {
    return new ProgramState({ market, reserves, obligation: presentObligation(bench.accounts), ...moment });
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

describe('refreshObligation against a second implementation of the program', () => {
  it('writes the same values and counters, to the last bit', () => {
    let compared = 0;
    for (let seed = 1; seed <= STATES; seed += 1) {
      const { setting, reserve: index } = randomState(seed);
      const market = { ...setting.market, emergencyMode: 0 };
      const bench = lendingBench({ ...setting, market, referred: false }, 'borrow', index);
      const expected = expectedOf(bench);
      const failure = bench.failureOf([refresh(bench)]);
      if (expected === null) {
        expect({ seed, isRefused: failure !== null }).toEqual({ seed, isRefused: true });
        continue;
      }
      compared += 1;
      expect({ seed, failure }).toEqual({ seed, failure: null });
      const found = bench.obligation();
      expect({
        seed,
        deposited: found.depositedValueSf,
        allowed: found.allowedBorrowValueSf,
        unhealthy: found.unhealthyBorrowValueSf,
        debt: found.borrowedAssetsMarketValueSf,
        factored: found.borrowFactorAdjustedDebtValueSf,
        obsolete: found.numOfObsoleteBorrowReserves + found.numOfObsoleteDepositReserves,
        borrowingDisabled: found.borrowingDisabled,
        hasDebt: found.hasDebt,
        refreshed: [found.lastUpdate.slot, found.lastUpdate.stale, found.lastUpdate.priceStatus],
      }).toEqual({
        seed,
        deposited: expected.deposited,
        allowed: expected.allowed,
        unhealthy: expected.unhealthy,
        debt: expected.debt,
        factored: expected.factoredDebt,
        obsolete: expected.obsolete,
        borrowingDisabled: expected.borrowingDisabled ? 1 : 0,
        hasDebt: expected.borrows.length > 0 ? 1 : 0,
        refreshed: [NOW.slot, 0, expected.hasPrices ? 63 : 0],
      });
      expected.borrows.forEach((borrow, i) => {
        const { borrowedAmountSf, marketValueSf, borrowedAmountOutsideElevationGroups } =
          found.borrows[i] ?? {};
        expect([borrowedAmountSf, marketValueSf]).toEqual([borrow.amount, borrow.value]);
        if (!expected.inGroup) expect(borrowedAmountOutsideElevationGroups).toBe(borrow.outside);
      });
      expected.deposits.forEach((deposit, i) => {
        const slot = found.deposits[i];
        expect(slot?.marketValueSf).toBe(deposit.value);
        if (expected.inGroup) {
          expect(slot?.borrowedAmountAgainstThisCollateralInElevationGroup).toBe(deposit.inGroup);
        }
      });
      for (const i of [0, 1, 2]) {
        const counted = expected.reserves.get(reserveAddress(i));
        if (counted === undefined) continue;
        const written = bench.reserve(i);
        expect(written.borrowedAmountOutsideElevationGroup).toBe(counted.outsideGroups);
        expect(written.borrowedAmountsAgainstThisReserveInElevationGroups[0]).toBe(counted.inGroups[0]);
      }
    }
    expect(compared).toBeGreaterThan(STATES / 2);
  });
});

const unit = (amount: bigint) => amount * FRACTION_ONE;

/** A debt of 1024 tokens, on which 8 tokens of interest have accrued. Of interest, a 32nd is the referrer's. */
const ACCRUED: LendingSetting = {
  reserves: [
    {},
    {
      borrowed: 400_000_000_000n,
      change: {
        liquidity: {
          cumulativeBorrowRateBsf: { value: [FRACTION_ONE + FRACTION_ONE / 128n, 0n, 0n, 0n] },
          absoluteReferralRateSf: FRACTION_ONE / 32n,
          pendingReferrerFeesSf: unit(1_000_000n),
        },
      },
    },
  ],
  deposits: [[0, 10_000_000_000n]],
  borrows: [[1, 1_024_000_000n]],
  market: { referralFeeBps: 1_000 },
};

const fresh = (setting: LendingSetting) => {
  const bench = lendingBench(setting, 'borrow', 1);
  bench.change(obligation, bench.obligationAddress, { lastUpdate: { slot: NOW.slot } });
  return bench;
};

describe('interest and referrer fees', () => {
  it('multiplies the debt by the growth of the cumulative rate', () => {
    const bench = fresh(ACCRUED);
    expect(bench.failureOf([refresh(bench)])).toBeNull();
    const [debt] = bench.obligation().borrows;
    expect(debt?.borrowedAmountSf).toBe(unit(1_032_000_000n));
    expect(debt?.cumulativeBorrowRateBsf.value[0]).toBe(FRACTION_ONE + FRACTION_ONE / 128n);
    expect(debt?.marketValueSf).toBe(unit(1_032n));
    expect(bench.reserve(1).borrowedAmountOutsideElevationGroup).toBe(1_032_000_000n);
  });

  it('credits the referrer, out of the pending fees', () => {
    const bench = fresh({ ...ACCRUED, referred: true });
    expect(bench.failureOf([refresh(bench, [stateOf(1)])])).toBeNull();
    const state = referrerTokenState.decode(bench.account(stateOf(1)), klend);
    expect([state.amountUnclaimedSf, state.amountCumulativeSf]).toEqual([unit(250_000n), unit(250_000n)]);
    const { liquidity } = bench.reserve(1);
    expect(liquidity.accumulatedReferrerFeesSf).toBe(unit(250_000n));
    expect(liquidity.pendingReferrerFeesSf).toBe(unit(750_000n));
    expect(liquidity.accumulatedProtocolFeesSf).toBe(0n);
  });

  it('credits the protocol without a referrer, at most the pending fees', () => {
    const bench = fresh(ACCRUED);
    bench.change(reserve, reserveAddress(1), { liquidity: { pendingReferrerFeesSf: unit(7n) } });
    expect(bench.failureOf([refresh(bench)])).toBeNull();
    const { liquidity } = bench.reserve(1);
    expect(liquidity.accumulatedProtocolFeesSf).toBe(unit(7n));
    expect(liquidity.pendingReferrerFeesSf).toBe(0n);
  });

  it('6006: a referrer without its account', () => {
    const bench = fresh({ ...ACCRUED, referred: true });
    expect(bench.failureOf([refresh(bench)])).toBe(6006);
  });

  it('6074 to 6077: the account of another referrer, mint or reserve', () => {
    const attempt = (fields: Parameters<typeof referrerTokenState.encode>[0], at = stateOf(1)) => {
      const bench = fresh({ ...ACCRUED, referred: true });
      bench.change(referrerTokenState, at, fields);
      return bench.failureOf([refresh(bench, [at])]);
    };
    expect(attempt({ mint: NO_ADDRESS })).toBe(6074);
    expect(attempt({ mint: addressNumber(1) })).toBe(6075);
    const mint = fresh(ACCRUED).reserve(1).liquidity.mintPubkey;
    expect(attempt({ mint }, stateOf(0))).toBe(6076);
    const bench = fresh({ ...ACCRUED, referred: true });
    bench.change(obligation, bench.obligationAddress, { referrer: WALLET });
    expect(bench.failureOf([refresh(bench, [stateOf(1)])])).toBe(6077);
  });

  it('6028: a cumulative rate below the one of the debt', () => {
    const bench = fresh(ACCRUED);
    bench.change(reserve, reserveAddress(1), {
      liquidity: { cumulativeBorrowRateBsf: { value: [FRACTION_ONE - 1n, 0n, 0n, 0n] } },
    });
    expect(bench.failureOf([refresh(bench)])).toBe(6028);
  });

  it("6111: the host's interest since the last refresh exceeds all interest", () => {
    const bench = fresh(ACCRUED);
    bench.change(obligation, bench.obligationAddress, { lastUpdate: { slot: NOW.slot - 60_000_000n } });
    bench.change(reserve, reserveAddress(1), { config: { hostFixedInterestRateBps: 500 } });
    expect(bench.failureOf([refresh(bench)])).toBe(6111);
  });
});

describe('terms of a refresh', () => {
  it('keeps the lowest limits and the highest borrow factor of positions of some value', () => {
    const bench = lendingBench(
      {
        ...ACCRUED,
        deposits: [
          [0, 10n ** 10n],
          [1, 1n],
        ],
      },
      'borrow',
      1,
    );
    bench.change(reserve, reserveAddress(0), { config: { loanToValuePct: 60, liquidationThresholdPct: 70 } });
    bench.change(reserve, reserveAddress(1), {
      config: { loanToValuePct: 40, liquidationThresholdPct: 50, borrowFactorPct: 150n },
    });
    bench.change(lendingMarket, MARKET, {
      minValueSkipLiquidationLtvChecks: 1n,
      minValueSkipLiquidationBfChecks: 1n,
    });
    expect(bench.failureOf([refresh(bench)])).toBeNull();
    const found = bench.obligation();
    expect(found.lowestReserveDepositLiquidationLtv).toBe(70n);
    expect(found.lowestReserveDepositMaxLtvPct).toBe(40);
    expect(found.highestBorrowFactorPct).toBe(150n);
  });

  it('caps the allowed debt at the limit of the market', () => {
    const bench = fresh(ACCRUED);
    bench.change(lendingMarket, MARKET, { globalAllowedBorrowValue: 123n });
    expect(bench.failureOf([refresh(bench)])).toBeNull();
    expect(bench.obligation().allowedBorrowValueSf).toBe(unit(123n));
  });

  it('passes on the price checks that all reserves passed', () => {
    const bench = fresh(ACCRUED);
    bench.change(reserve, reserveAddress(0), { lastUpdate: { priceStatus: 0b111110 } });
    bench.change(reserve, reserveAddress(1), { lastUpdate: { priceStatus: 0b011111 } });
    expect(bench.failureOf([refresh(bench)])).toBeNull();
    expect(bench.obligation().lastUpdate.priceStatus).toBe(0b011110);
  });

  it('removes a borrow order that has expired, and keeps another', () => {
    const bench = fresh(ACCRUED);
    const order = { debtLiquidityMint: addressNumber(1), remainingDebtAmount: 5n };
    bench.change(obligation, bench.obligationAddress, {
      headBorrowOrder: { ...order, fillableUntilTimestamp: NOW.timestamp },
    });
    expect(bench.failureOf([refresh(bench)])).toBeNull();
    expect(bench.obligation().headBorrowOrder.remainingDebtAmount).toBe(5n);
    bench.change(obligation, bench.obligationAddress, {
      headBorrowOrder: { fillableUntilTimestamp: NOW.timestamp - 1n },
    });
    expect(bench.failureOf([refresh(bench)])).toBeNull();
    expect(bench.obligation().headBorrowOrder.remainingDebtAmount).toBe(0n);
    expect(bench.obligation().headBorrowOrder.debtLiquidityMint).toBe(NO_ADDRESS);
  });

  it('removes each of the three borrow orders by its own time', () => {
    const bench = fresh(ACCRUED);
    const until = (fillableUntilTimestamp: bigint) => ({
      debtLiquidityMint: addressNumber(1),
      remainingDebtAmount: 5n,
      fillableUntilTimestamp,
    });
    const remaining = () => {
      const { headBorrowOrder, tailBorrowOrders } = bench.obligation();
      return [headBorrowOrder, ...tailBorrowOrders].map((order) => order.remainingDebtAmount);
    };
    bench.change(obligation, bench.obligationAddress, {
      headBorrowOrder: until(NOW.timestamp),
      tailBorrowOrders: [until(NOW.timestamp - 1n), until(NOW.timestamp + 1n)],
    });
    expect(bench.failureOf([refresh(bench)])).toBeNull();
    expect(remaining()).toEqual([5n, 0n, 5n]);
    expect(bench.obligation().tailBorrowOrders[0]?.debtLiquidityMint).toBe(NO_ADDRESS);
    bench.change(obligation, bench.obligationAddress, {
      tailBorrowOrders: [{}, { fillableUntilTimestamp: NOW.timestamp - 1n }],
    });
    expect(bench.failureOf([refresh(bench)])).toBeNull();
    expect(remaining()).toEqual([5n, 0n, 0n]);
  });

  it('2001: the market of another obligation', () => {
    const bench = fresh(ACCRUED);
    bench.change(obligation, bench.obligationAddress, { lendingMarket: WALLET });
    expect(bench.failureOf([refresh(bench)])).toBe(2001);
  });

  it('6073: a reserve of another version', () => {
    const bench = fresh(ACCRUED);
    bench.change(reserve, reserveAddress(0), { version: 2n });
    expect(bench.failureOf([refresh(bench)])).toBe(6073);
  });
});
