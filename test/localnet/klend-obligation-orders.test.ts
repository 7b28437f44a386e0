import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation, obligationOrder } from '@sluice/protocol/klend/obligation';
import { setObligationOrder } from '@sluice/protocol/klend/order-instructions';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { FRACTION_ONE, U128_MAX } from '@sluice/protocol/numeric/fraction';
import { Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import { cases } from '../../packages/protocol/test/support/cases.ts';
import { buildLending } from '../../src/builders/lending/action.ts';
import { NO_ORDER } from '../../src/builders/lending/changes.ts';
import { WATCHED_CONDITIONS, type WatchedCondition } from '../../src/builders/orders/request.ts';
import { addressNumber, MARKET, NOW, WALLET } from '../support/builders/lending-accounts.ts';
import { Chance } from '../support/lending/random-states.ts';
import type { LendingBench } from '../support/localnet/lending-bench.ts';
import { cancelOrder, orderBench, PAIR, setOrder, TWO_PAIRS } from '../support/localnet/order-bench.ts';

const { klend } = MAINNET_PROGRAMS;

type Order = Partial<typeof NO_ORDER>;

/** Up to a loan-to-value of 75 %, all debt, at a bonus of 1 to 2 %. */
const VALID: Order = {
  conditionThresholdSf: (FRACTION_ONE * 3n) / 4n,
  opportunityParameterSf: U128_MAX,
  minExecutionBonusBps: 100,
  maxExecutionBonusBps: 200,
  conditionType: 1,
  opportunityType: 1,
};

function instruction(bench: LendingBench, order: Order, index = 0, owner = WALLET): EncodedInstruction {
  const accounts = { owner, obligation: bench.obligationAddress, lendingMarket: MARKET };
  return setObligationOrder.encode(klend, accounts, { index, ...NO_ORDER, ...order });
}

const set = (order: Order, bench = orderBench(), index = 0, owner = WALLET) =>
  bench.failureOf([instruction(bench, order, index, owner)]);

/** With other bytes of the order, counted from its start. */
function setBytes(bytes: Readonly<Record<number, number>>, order = VALID): number | string | null {
  const bench = orderBench();
  const encoded = instruction(bench, order);
  const data = Uint8Array.from(encoded.data);
  for (const [at, byte] of Object.entries(bytes)) data[9 + Number(at)] = byte;
  return bench.failureOf([{ ...encoded, data }]);
}

const stored = (bench: LendingBench) => {
  const start = obligation.offsetOf('obligationOrders');
  return Array.from({ length: 2 }, (_, i) =>
    Buffer.from(
      bench
        .account(bench.obligationAddress)
        .data.slice(start + i * obligationOrder.size, start + (i + 1) * obligationOrder.size),
    ).toString('hex'),
  );
};
const EMPTY = '00'.repeat(128);

describe('the encoding of klend 1.25', () => {
  it('has discriminator, index and the 128 bytes of the order', () => {
    const encoded = instruction(orderBench(), VALID, 1);
    const little = (value: bigint) =>
      value.toString(16).padStart(32, '0').match(/../g)?.toReversed().join('') ?? '';
    expect(Buffer.from(encoded.data).toString('hex')).toBe(
      [
        '5101639cd3534e2e',
        '01',
        little((FRACTION_ONE * 3n) / 4n),
        'ff'.repeat(16),
        '6400',
        'c800',
        '01',
        '01',
        '00'.repeat(90),
      ].join(''),
    );
    expect(encoded.accounts).toEqual([
      { address: WALLET, role: 2 },
      { address: orderBench().obligationAddress, role: 1 },
      { address: MARKET, role: 0 },
    ]);
  });
});

describe('setObligationOrder', () => {
  it('sets, replaces and cancels either order, and leaves all else', () => {
    const bench = orderBench();
    const before = bench.account(bench.obligationAddress).data;
    expect(set(VALID, bench, 1)).toBeNull();
    const [first, second] = stored(bench);
    expect(first).toBe(EMPTY);
    expect(second).toBe(Buffer.from(instruction(bench, VALID).data.slice(9)).toString('hex'));
    expect(set({ ...VALID, conditionType: 2 }, bench, 1)).toBeNull();
    expect(bench.obligation().obligationOrders[1]?.conditionType).toBe(2);
    expect(set({}, bench, 1)).toBeNull();
    expect(bench.account(bench.obligationAddress).data).toEqual(before);
  });

  it('6123: a third order, also an empty one', () => {
    expect([0, 1, 2, 255].map((index) => set(VALID, orderBench(), index))).toEqual([null, null, 6123, 6123]);
    expect(set({}, orderBench(), 2)).toBe(6123);
  });

  it.each([
    ['a loan-to-value', [1, 2, 6], (FRACTION_ONE + 50n) / 100n, FRACTION_ONE - 1n],
    ['a ratio of prices', [3, 4], 1_153n, FRACTION_ONE * 10n ** 15n],
  ] as const)('6124: %s out of range', (_name, types, least, largest) => {
    for (const conditionType of types) {
      const at = (conditionThresholdSf: bigint) => set({ ...VALID, conditionType, conditionThresholdSf });
      expect([least, largest, least - 1n, largest + 1n, 0n].map(at)).toEqual([null, null, 6124, 6124, 6124]);
    }
  });

  it('6124: unknown conditions and opportunities', () => {
    expect([5, 7, 255].map((conditionType) => set({ ...VALID, conditionType }))).toEqual([6124, 6124, 6124]);
    expect([2, 3, 255].map((opportunityType) => set({ ...VALID, opportunityType }))).toEqual([
      6124, 6124, 6124,
    ]);
  });

  it('6124: amounts that the opportunity does not take', () => {
    const amount = (opportunityParameterSf: bigint, opportunityType: number) =>
      set({ ...VALID, opportunityParameterSf, opportunityType });
    expect([1n, FRACTION_ONE, U128_MAX - 1n].map((each) => amount(each, 0))).toEqual([null, null, null]);
    expect([amount(0n, 0), amount(U128_MAX, 0)]).toEqual([6124, 6124]);
    expect([amount(0n, 1), amount(U128_MAX - 1n, 1)]).toEqual([6124, 6124]);
  });

  it('6124: bonuses out of range', () => {
    const bonus = (minExecutionBonusBps: number, maxExecutionBonusBps: number) =>
      set({ ...VALID, minExecutionBonusBps, maxExecutionBonusBps });
    expect([bonus(0, 0), bonus(0, 1000), bonus(1000, 1000)]).toEqual([null, null, null]);
    expect([bonus(0, 1001), bonus(2, 1)]).toEqual([6124, 6124]);
    const always = { ...VALID, conditionType: 5, conditionThresholdSf: 0n };
    expect(set({ ...always, maxExecutionBonusBps: 100 })).toBeNull();
    expect(set(always)).toBe(6124);
  });

  it('6124: anything in the padding, and a cancellation that is not all zero', () => {
    for (const at of [38, 39, 40, 47, 48, 127]) expect(setBytes({ [at]: 1 })).toBe(6124);
    for (const at of [0, 16, 32, 34, 37, 38, 127]) expect(setBytes({ [at]: 1 }, {})).toBe(6124);
  });

  it('6125: positions that the order does not fit', () => {
    const ofPair = [3, 4].map((conditionType) => ({ ...VALID, conditionType }));
    const single = { ...VALID, opportunityType: 0, opportunityParameterSf: FRACTION_ONE };
    const twoDeposits = { ...TWO_PAIRS, borrows: PAIR.borrows ?? [] };
    const withoutDebt = { ...PAIR, borrows: [] };
    expect(ofPair.map((order) => set(order))).toEqual([null, null]);
    for (const setting of [TWO_PAIRS, twoDeposits, withoutDebt]) {
      expect(ofPair.map((order) => set(order, orderBench(setting)))).toEqual([6125, 6125]);
      expect(set(VALID, orderBench(setting))).toBeNull();
    }
    expect([TWO_PAIRS, twoDeposits, withoutDebt].map((setting) => set(single, orderBench(setting)))).toEqual([
      6125,
      null,
      6125,
    ]);
  });

  it('6128: a new order where the market has switched them off, but no change or cancellation', () => {
    const bench = orderBench();
    expect(set(VALID, bench)).toBeNull();
    bench.change(lendingMarket, MARKET, { obligationOrderCreationEnabled: 0 });
    expect(set(VALID, bench, 1)).toBe(6128);
    expect(set({}, bench, 1)).toBeNull();
    expect(set({ ...VALID, conditionType: 2 }, bench)).toBeNull();
    expect(set({}, bench)).toBeNull();
    expect(set(VALID, bench)).toBe(6128);
  });

  it('6042 in an emergency, and 2001 for another owner', () => {
    expect(set(VALID, orderBench(PAIR, { emergencyMode: 1 }))).toBe(6042);
    expect(set(VALID, orderBench(), 0, addressNumber(77))).toBe(2001);
  });

  it('checks terms, positions, index and the market in this order', () => {
    const wrong = { ...VALID, conditionType: 3, conditionThresholdSf: 0n };
    const bench = orderBench(TWO_PAIRS, { obligationOrderCreationEnabled: 0 });
    expect(set(wrong, bench, 2)).toBe(6124);
    expect(set({ ...wrong, conditionThresholdSf: FRACTION_ONE }, bench, 2)).toBe(6125);
    expect(set(VALID, bench, 2)).toBe(6123);
    expect(set(VALID, bench, 1)).toBe(6128);
    bench.change(lendingMarket, MARKET, { emergencyMode: 1 });
    expect(set(wrong, bench, 2)).toBe(6042);
  });

  it('is undone by the repayment of the last debt', () => {
    const bench = orderBench({ ...PAIR, balances: [0n, 10n ** 12n] });
    expect(set(VALID, bench, 1)).toBeNull();
    const request = { ...bench.accounts.request, action: 'repay' } as const;
    const built = buildLending({ ...bench.accounts, request }, { all: true }, NOW).action.instructions;
    expect(built.map(({ name }) => name)).toContain('repayObligationLiquidityV2');
    expect(bench.failureOf(built.filter(({ programAddress }) => programAddress === klend))).toBeNull();
    expect(stored(bench)).toEqual([EMPTY, EMPTY]);
  });
});

const CASES = cases(100, 400);

describe('a built order', () => {
  it('is accepted, and leaves the obligation as promised', () => {
    const chance = new Chance(61);
    const conditions = Object.keys(WATCHED_CONDITIONS) as [WatchedCondition, ...WatchedCondition[]];
    let [built, refused] = [0, 0];
    for (let i = 0; i < CASES; i += 1) {
      const bench = orderBench(chance.hit(0.3) ? TWO_PAIRS : PAIR);
      for (const index of [0, 1]) {
        if (chance.hit(0.3)) expect(set(VALID, bench, index)).toBeNull();
      }
      const condition = chance.pick(...conditions);
      const isRatio = condition.startsWith('PRICE_RATIO');
      const threshold = isRatio
        ? Rational.of(chance.magnitude(0, 30), 10n ** 15n)
        : Rational.of(chance.below(1_050_000n), 1_000_000n);
      const max = Number(chance.below(1001n));
      const terms = {
        condition,
        threshold,
        amount: chance.hit(0.5) ? ({ all: true } as const) : { baseUnits: chance.magnitude(0, 18) },
        minBonusBps: Number(chance.below(BigInt(max + 1))),
        maxBonusBps: max,
        index: chance.hit(0.5) ? 0 : 1,
      };
      const step = attempted(() => setOrder(bench, terms));
      if (step === null) {
        refused += 1;
        continue;
      }
      built += 1;
      const promised = step.after().get(bench.obligationAddress)?.data;
      expect(bench.failureOf(step.action.instructions)).toBeNull();
      expect(bench.account(bench.obligationAddress).data).toEqual(promised);
      if (!chance.hit(0.5)) continue;
      const cancelled = cancelOrder(bench, terms.index);
      const afterwards = cancelled.after().get(bench.obligationAddress)?.data;
      expect(bench.failureOf(cancelled.action.instructions)).toBeNull();
      expect(bench.account(bench.obligationAddress).data).toEqual(afterwards);
    }
    expect(built).toBeGreaterThan((CASES * 3) / 8);
    expect(refused).toBeGreaterThan(CASES / 8);
  });
});

/** Null for an order that can never trigger. */
function attempted<T>(build: () => T): T | null {
  try {
    return build();
  } catch (error) {
    expect(error).toMatchObject({ code: 'ORDER_CANNOT_TRIGGER' });
    return null;
  }
}
