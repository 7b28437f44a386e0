import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { describe, expect, it } from 'vitest';
import { cancelOrderAction, setOrderAction } from '../../src/builders/orders/action.ts';
import { addressNumber, MARKET, reserveAddress, WALLET } from '../support/builders/lending-accounts.ts';
import { NOTHING_KNOWN } from '../support/localnet/built-steps.ts';
import {
  cancelOrder,
  orderBench,
  PAIR,
  STOP_LOSS,
  setOrder,
  TWO_PAIRS,
} from '../support/localnet/order-bench.ts';

const PLACE = { wallet: WALLET, market: MARKET };

/** Code and message of what a build throws. */
function refusalOf(build: () => unknown): string {
  try {
    build();
  } catch (error) {
    const { code, message } = error as { readonly code: string; readonly message: string };
    return `${code}: ${message}`;
  }
  return expect.fail('it was built');
}

describe('an order is refused', () => {
  it.each([
    ['a third place', { index: 2 }, /two orders, with the indexes 0 and 1/],
    ['a part of a basis point', { minBonusBps: 0.5 }, /whole basis points/],
    ['more than 10 %', { maxBonusBps: 1001 }, /from 0 to 1000/],
    ['a minimum above the maximum', { minBonusBps: 201 }, /must not be above its maximum/],
  ])('with %s', (_name, terms, message) => {
    expect(refusalOf(() => setOrder(orderBench(), terms))).toMatch(/^BUILD_REFUSED/);
    expect(refusalOf(() => setOrder(orderBench(), terms))).toMatch(message);
  });

  it('by a wallet that does not own the obligation', () => {
    const bench = orderBench();
    const wallet = addressNumber(77);
    const obligation = { address: bench.obligationAddress };
    const refusal = refusalOf(() => setOrder(bench, { wallet, obligation }));
    expect(refusal).toMatch(/^BUILD_REFUSED: .* belongs to another wallet/);
    expect(refusalOf(() => cancelOrder(bench, 0, wallet))).toMatch(/^KLEND_OBLIGATION_NOT_FOUND/);
  });

  it('by a program of klend 1.26 or later, whose orders have another meaning', () => {
    const known = { ...NOTHING_KNOWN, runsAtLeast: () => true };
    for (const build of [
      () => setOrderAction(known, { ...PLACE, ...STOP_LOSS }),
      () => cancelOrderAction(known, { ...PLACE, index: 0 }),
    ]) {
      expect(refusalOf(build)).toMatch(/^BUILD_REFUSED: .*klend 1\.26\.0 or later/);
    }
  });
});

describe('an amount of debt', () => {
  const withAmount = (amount: object, setting = PAIR) =>
    setOrder(orderBench(setting), { amount: amount as { readonly all: true } });

  it('is of the only debt', () => {
    const order = withAmount({ tokens: parseDecimal('12.5') }).preview().order;
    expect(order?.after).toContain('sell collateral to repay 12.5 TOK1');
    expect(refusalOf(() => withAmount({ tokens: parseDecimal('0.0000001') }))).toMatch(
      /^AMOUNT_TOO_MANY_DECIMALS/,
    );
    expect(refusalOf(() => withAmount({ tokens: parseDecimal('0') }))).toMatch(/^AMOUNT_NOT_POSITIVE/);
  });

  it('of several debts is all of them', () => {
    expect(refusalOf(() => withAmount({ tokens: parseDecimal('1') }, TWO_PAIRS))).toMatch(
      /^ORDER_CANNOT_TRIGGER: .* this one has 2; repay all instead/,
    );
    for (const all of [
      { all: true },
      { baseUnits: 2n ** 64n - 1n },
      { tokens: parseDecimal('18446744073709551615') },
    ]) {
      expect(withAmount(all, TWO_PAIRS).preview().order?.after).toContain('repay all debt');
    }
  });

  it('of no debt cannot trigger', () => {
    const refusal = /^ORDER_CANNOT_TRIGGER: .*there is no debt to repay\.$/;
    for (const amount of [{ all: true }, { tokens: parseDecimal('1.5') }]) {
      expect(refusalOf(() => withAmount(amount, { ...PAIR, borrows: [] }))).toMatch(refusal);
    }
  });
});

describe('the preview of an order', () => {
  it('names the price of each collateral', () => {
    const { order } = setOrder(orderBench()).preview();
    expect(order).toMatchObject({ index: 0, before: null, isMet: false });
    expect(order?.prices).toMatchObject([{ reserve: reserveAddress(0), side: 'BELOW', reason: null }]);
    // 500 of debt against 1,000 tokens reach 70 % at 0.714 dollars.
    expect(order?.prices[0]?.triggerUsd?.toNumber()).toBeCloseTo(500 / 0.7 / 1000, 6);
    expect(order?.outlook).toContain('the order triggers when TOK0 falls below 0.7142');
  });

  it('takes the first empty place', () => {
    const bench = orderBench();
    for (const index of [0, 1]) {
      const built = setOrder(bench);
      expect(built.preview().order?.index).toBe(index);
      expect(bench.failureOf(built.action.instructions)).toBeNull();
    }
    expect(refusalOf(() => setOrder(bench))).toMatch(/^BUILD_REFUSED: .*2 orders already/);
    expect(bench.failureOf(cancelOrder(bench, 0).action.instructions)).toBeNull();
    expect(setOrder(bench).preview().order?.index).toBe(0);
  });

  it('is built without a reserve that cannot be read, and says that values are unknown', () => {
    const bench = orderBench();
    bench.set(reserveAddress(0), { ...bench.account(reserveAddress(0)), data: new Uint8Array(8) });
    const built = setOrder(bench);
    const { order, warnings } = built.preview();
    expect(order).toMatchObject({ isMet: null, prices: [{ triggerUsd: null, reason: 'VALUE_UNKNOWN' }] });
    expect(warnings.map(({ code }) => code)).toContain('PRICE_UNKNOWN');
    expect(bench.failureOf(built.action.instructions)).toBeNull();
  });
});
