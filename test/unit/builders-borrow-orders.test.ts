import { describe, expect, it } from 'vitest';
import { setBorrowOrderAction } from '../../src/builders/borrow-orders/action.ts';
import { fillBorrowOrderAction } from '../../src/builders/borrow-orders/fill.ts';
import { addressNumber, MARKET, NOW, reserveAddress, WALLET } from '../support/builders/lending-accounts.ts';
import { BorrowOrderBench, COLLATERAL, DEBT, FILLER, UNTIL } from '../support/localnet/borrow-order-bench.ts';
import { NOTHING_KNOWN, stepOn } from '../support/localnet/built-steps.ts';

/** Refusals of borrow orders by the program's reason, compared with the program. */

type Change = (bench: BorrowOrderBench) => void;

/** The numbers that the warnings promise and that the program answers to a fill. */
function outcomeOf(
  terms: Parameters<BorrowOrderBench['place']>[0],
  change: Change,
  bench = new BorrowOrderBench(),
) {
  expect(bench.failureOf(bench.place(terms).action.instructions)).toBeNull();
  change(bench);
  const step = bench.fill();
  const errors = step.preview().warnings.filter(({ level }) => level === 'ERROR');
  const promised = errors.map(({ message }) => Number(/The program answers (\d+)/.exec(message)?.[1]));
  return { promised, failure: bench.failureOf(step.action.instructions) };
}

const onReserve =
  (fields: Parameters<BorrowOrderBench['changeReserve']>[1]): Change =>
  (bench) =>
    bench.changeReserve(DEBT, fields);
const onMarket =
  (fields: Parameters<BorrowOrderBench['changeMarket']>[0]): Change =>
  (bench) =>
    bench.changeMarket(fields);

describe('a fill', () => {
  it.each<[number, string, Parameters<BorrowOrderBench['place']>[0], Change]>([
    [6141, 'a market that fills none', {}, onMarket({ borrowOrderExecutionEnabled: 0 })],
    [6136, 'a reserve that may charge more', { maxBorrowRateBps: 4_999 }, () => undefined],
    [6137, 'a term that the order does not name', {}, onReserve({ config: { debtTermSeconds: 9_999_999n } })],
    [6137, 'too short a term', { minTermSeconds: 60n }, onReserve({ config: { debtTermSeconds: 59n } })],
    [
      6137,
      'too early a maturity',
      { minTermSeconds: 60n },
      onReserve({ config: { debtMaturityTimestamp: NOW.timestamp + 59n } }),
    ],
    [6144, 'too small a part', {}, onMarket({ globalAllowedBorrowValue: 1n })],
    [6153, 'too small a rest', {}, onMarket({ globalAllowedBorrowValue: 99n })],
    [
      6157,
      'a market without rollovers',
      { autoRollover: true },
      onMarket({ obligationBorrowRolloverConfigurationEnabled: 0 }),
    ],
  ])('%s: %s', (number, _name, terms, change) => {
    expect(outcomeOf(terms, change)).toEqual({ promised: [number], failure: number });
  });

  it('6167: a debt with other rollover terms', () => {
    const bench = new BorrowOrderBench({ ...COLLATERAL, borrows: [[DEBT, 5_000_000n]] });
    const outcome = outcomeOf({ autoRollover: true }, () => undefined, bench);
    expect(outcome).toEqual({ promised: [6167], failure: 6167 });
  });

  it('6138: is not built of an order whose time is over', () => {
    const bench = new BorrowOrderBench();
    expect(bench.failureOf(bench.place().action.instructions)).toBeNull();
    bench.clock = { ...bench.clock, unixTimestamp: UNTIL };
    expect(bench.fill().preview().borrowOrder?.received?.amount).toBe(100_000_000n);
    bench.clock = { ...bench.clock, unixTimestamp: UNTIL + 1n };
    expect(() => bench.fill()).toThrow(/6138 BorrowOrderFillTimeLimitExceeded/);
  });

  it('6135: is not built of no order, or from a reserve of another token', () => {
    const bench = new BorrowOrderBench();
    expect(() => bench.fill(1)).toThrow(/no borrow order 1.*6135/);
    expect(bench.failureOf(bench.place().action.instructions)).toBeNull();
    expect(() => bench.fill(0, 0)).toThrow(/is for the token .*6135/);
    const request = {
      wallet: FILLER,
      obligation: bench.obligationAddress,
      index: 3,
      reserve: reserveAddress(DEBT),
    };
    expect(() => fillBorrowOrderAction(NOTHING_KNOWN, request)).toThrow(/6123/);
  });

  it('opens the own account of the owner, and no other one', () => {
    const bench = new BorrowOrderBench();
    expect(bench.failureOf(bench.place().action.instructions)).toBeNull();
    const names = (step = bench.fill()) => step.action.instructions.map(({ name }) => name);
    expect(names()[0]).toBe('createAssociatedTokenIdempotent');
    const other = addressNumber(74);
    bench.setBalance(other, bench.reserve(DEBT).liquidity.mintPubkey, WALLET, 0n);
    expect(bench.failureOf([bench.setting({}, 1, 0n, { filledDebtDestination: other })])).toBeNull();
    const step = bench.fill(1);
    expect(names(step)).not.toContain('createAssociatedTokenIdempotent');
    expect(bench.failureOf(step.action.instructions)).toBeNull();
    expect(bench.balance(other)).toBe(100_000_000n);
  });
});

describe('an order', () => {
  const terms = { wallet: WALLET, market: MARKET, amount: { baseUnits: 5_000_000n } } as const;
  const more = { maxBorrowRateBps: 100, minTermSeconds: 0n, fillableUntil: UNTIL, autoRollover: false };

  it('takes the first place that is empty or expired', () => {
    const bench = new BorrowOrderBench();
    const indexes = () => bench.place({ fillableUntil: UNTIL + 9n }).preview().borrowOrder?.index;
    for (const index of [0, 1, 2]) {
      expect(indexes()).toBe(index);
      expect(bench.failureOf([bench.setting({}, index)])).toBeNull();
    }
    expect(indexes).toThrow(/3 borrow orders already/);
    bench.clock = { ...bench.clock, unixTimestamp: UNTIL + 1n };
    expect(indexes()).toBe(0);
  });

  it('that was filled in the meantime cannot be changed unawares', () => {
    const bench = new BorrowOrderBench();
    expect(bench.failureOf(bench.place().action.instructions)).toBeNull();
    const change = bench.place({ index: 0, amount: { baseUnits: 150_000_000n } });
    bench.changeMarket({ globalAllowedBorrowValue: 20n });
    expect(bench.failureOf(bench.filling())).toBeNull();
    expect(bench.failureOf(change.action.instructions)).toBe(6143);
    expect(bench.failureOf(bench.cancel().action.instructions)).toBeNull();
  });

  it('6140: keeps its token', () => {
    const bench = new BorrowOrderBench({ ...COLLATERAL, reserves: [{}, {}, {}] });
    expect(bench.failureOf(bench.place().action.instructions)).toBeNull();
    const { mintPubkey: mint } = bench.reserve(2).liquidity;
    expect(() => bench.place({ index: 0, mint })).toThrow(/6140 NonUpdatableOrderConfiguration/);
    expect(bench.place({ index: 1, mint }).preview().warnings).toEqual([]);
  });

  it('is of a token that the market lends', () => {
    const action = setBorrowOrderAction(NOTHING_KNOWN, { ...terms, ...more, mint: addressNumber(75) });
    expect(() => stepOn(new BorrowOrderBench(), action)).toThrow(/no reserve of mint/);
  });

  it('is valued by a reserve that could fill it', () => {
    const twin = { change: { liquidity: { mintPubkey: addressNumber(201) } }, priceUsd: 2n };
    const bench = new BorrowOrderBench({ ...COLLATERAL, reserves: [{}, {}, twin] });
    bench.changeReserve(DEBT, { config: { debtTermSeconds: 100n } });
    const step = bench.place();
    expect(step.preview().borrowOrder?.reserves).toEqual([reserveAddress(2)]);
    expect(step.action.instructions.at(-1)?.accounts[3]?.address).toBe(reserveAddress(2));
    expect(bench.failureOf(step.action.instructions)).toBeNull();
  });
});
