import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { integer, Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { describe, expect, it } from 'vitest';
import { isLiquidatable } from '../../src/domain/health.ts';
import type { BorrowPosition, DepositPosition, Positions } from '../../src/domain/obligation.ts';
import type { OrderCondition, OrderTerms } from '../../src/domain/obligation-orders.ts';
import { obligationStats } from '../../src/domain/obligation-stats.ts';
import { orderOutlook } from '../../src/domain/order-outlook.ts';
import { inDigits, orderInWords, outlookInWords } from '../../src/domain/order-words.ts';
import { reserveAddress } from '../support/builders/lending-accounts.ts';
import { Chance } from '../support/lending/random-states.ts';

const MARKET = { obligationOrderExecutionEnabled: 1, priceTriggeredLiquidationDisabled: 0 };

function terms(
  condition: OrderCondition,
  threshold: string | Rational | null,
  more: Partial<OrderTerms> = {},
) {
  const order: OrderTerms = {
    condition,
    threshold: typeof threshold === 'string' ? parseDecimal(threshold) : threshold,
    opportunity: 'DELEVERAGE_ALL',
    amount: null,
    targetLtv: null,
    minBonus: parseDecimal('0.005'),
    maxBonus: parseDecimal('0.02'),
    debtMint: null,
    collateralMint: null,
    maxBorrowRateBps: null,
    minDebtTermSeconds: null,
    ...more,
  };
  return order;
}

/** Whole tokens, price and liquidation threshold of a deposit. */
type Deposit = readonly [tokens: Rational, price: Rational, liquidationLtv: Rational];
/** Whole tokens, price and borrow factor of a debt. */
type Debt = readonly [tokens: Rational, price: Rational, factor: Rational];

function positionsOf(deposits: readonly Deposit[], debts: readonly Debt[]): Positions {
  return {
    elevationGroup: 0,
    deposits: deposits.map(
      ([tokens, priceUsd, liquidationLtv], i): DepositPosition => ({
        reserve: reserveAddress(i),
        collateral: 1n,
        amount: tokens,
        priceUsd,
        valueUsd: tokens.mul(priceUsd),
        maxLtv: liquidationLtv,
        liquidationLtv,
      }),
    ),
    borrows: debts.map(
      ([tokens, priceUsd, borrowFactor], i): BorrowPosition => ({
        reserve: reserveAddress(50 + i),
        amount: tokens,
        priceUsd,
        valueUsd: tokens.mul(priceUsd),
        borrowFactor,
        factoredUsd: tokens.mul(priceUsd).mul(borrowFactor),
      }),
    ),
  };
}

const d = parseDecimal;
/** 10 tokens at 100 USD, liquidated from 80 %, and 600 USD of debt. */
const PAIR = positionsOf([[d('10'), d('100'), d('0.8')]], [[d('600'), d('1'), d('1')]]);
const TWO = positionsOf(
  [
    [d('10'), d('100'), d('0.8')],
    [d('500'), d('1'), d('0.9')],
  ],
  [[d('600'), d('1'), d('1')]],
);
const outlook = (order: OrderTerms, positions = PAIR, market = MARKET) =>
  orderOutlook(order, market, positions, obligationStats(positions));

describe('the price that triggers an order', () => {
  it.each([
    ['LTV_ABOVE', '0.75', '80', 'BELOW', false],
    ['LTV_ABOVE', '0.5', '120', 'BELOW', true],
    ['LTV_BELOW', '0.5', '120', 'ABOVE', false],
    ['LIQUIDATION_LTV_CLOSER_THAN', '0.1', '85.71428571428571428571428571428571', 'BELOW', false],
    ['PRICE_RATIO_ABOVE', '0.0125', '80', 'BELOW', false],
    ['PRICE_RATIO_BELOW', '0.005', '200', 'ABOVE', false],
  ] as const)('of %s %s is %s', (condition, threshold, price, side, isMet) => {
    const { prices, isMet: met, hindrance } = outlook(terms(condition, threshold));
    expect(prices).toMatchObject([{ reserve: reserveAddress(0), side, reason: null }]);
    expect(toDecimalString(prices[0]?.triggerUsd ?? ZERO)).toBe(price);
    expect([met, hindrance]).toEqual([isMet, null]);
  });

  it('is on the edge of the condition for random obligations, or there is none', () => {
    const chance = new Chance(7);
    let found = 0;
    for (let i = 0; i < 500; i += 1) {
      const amount = () => Rational.of(chance.magnitude(0, 6), 100n);
      const share = (from: bigint) => Rational.of(from + chance.below(90n - from), 100n);
      const deposits = Array.from(
        { length: 1 + Number(chance.below(3n)) },
        (): Deposit => [amount(), amount(), share(30n)],
      );
      const debts: Debt[] = [[amount(), amount(), Rational.of(100n + chance.below(80n), 100n)]];
      const condition = chance.pick('LTV_ABOVE', 'LTV_BELOW', 'LIQUIDATION_LTV_CLOSER_THAN' as const);
      const order = terms(condition, share(1n));
      const base = positionsOf(deposits, debts);
      const at = (index: number, price: Rational) =>
        positionsOf(
          deposits.map((each, j) => (j === index ? [each[0], price, each[2]] : each)),
          debts,
        );
      outlook(order, base).prices.forEach(({ triggerUsd, side, reason, currentUsd }, index) => {
        const price = triggerUsd ?? currentUsd ?? ZERO;
        const [less, more] = [999_999n, 1_000_001n].map((ppm) =>
          at(index, price.mul(Rational.of(ppm, 1_000_000n))),
        );
        const met = [less, more].map((positions) => positions && outlook(order, positions).isMet);
        if (triggerUsd !== null) {
          found += 1;
          expect(met).toEqual(side === 'BELOW' ? [true, false] : [false, true]);
          const stats = less && obligationStats(less);
          // The price of a stop-loss is reached before the liquidation.
          if (side === 'BELOW' && condition === 'LTV_ABOVE')
            expect(stats && isLiquidatable(stats)).toBe(false);
        } else if (reason === 'AT_ANY_PRICE') expect(met).toEqual([true, true]);
        else if (reason === 'AT_NO_PRICE') expect(met).toEqual([false, false]);
        else expect(reason).toBe('LIQUIDATED_FIRST');
      });
    }
    expect(found).toBeGreaterThan(200);
  });

  it('is none where other collateral decides, and says so', () => {
    const small = positionsOf(
      [
        [d('10'), d('100'), d('0.8')],
        [d('1'), d('1'), d('0.9')],
      ],
      [[d('600'), d('1'), d('1')]],
    );
    const reasonsOf = (order: OrderTerms, positions: Positions) =>
      outlook(order, positions).prices.map(({ reason }) => reason);
    expect(reasonsOf(terms('LTV_ABOVE', '0.7'), small)).toEqual([null, 'AT_NO_PRICE']);

    expect(reasonsOf(terms('LTV_BELOW', '0.7'), small)).toEqual([null, 'AT_ANY_PRICE']);
    expect(reasonsOf(terms('LTV_ABOVE', '0.9'), TWO)).toEqual(['LIQUIDATED_FIRST', 'AT_NO_PRICE']);
    expect(reasonsOf(terms('ALWAYS', null), PAIR)).toEqual(['NO_PRICE_CONDITION']);
    expect(reasonsOf(terms('PRICE_RATIO_ABOVE', '1'), TWO)).toEqual(['POSITIONS', 'POSITIONS']);
    expect(reasonsOf(terms('LTV_ABOVE', '0.5'), positionsOf([[d('1'), d('1'), d('0.8')]], []))).toEqual([
      'NO_DEBT',
    ]);
    const unknown = { ...PAIR, deposits: PAIR.deposits.map((each) => ({ ...each, valueUsd: null })) };
    expect(reasonsOf(terms('LTV_ABOVE', '0.5'), unknown)).toEqual(['VALUE_UNKNOWN']);
    expect(outlook(terms('LTV_ABOVE', '0.5'), unknown)).toMatchObject({ watched: null, isMet: null });
  });
});

describe('an order that is not executed', () => {
  const hindranceOf = (order: OrderTerms, positions = PAIR, market = MARKET) =>
    outlook(order, positions, market).hindrance;

  it('is liquidated first, from the largest threshold of its collateral', () => {
    expect(hindranceOf(terms('LTV_ABOVE', '0.8'))).toBe('LIQUIDATED_FIRST');
    expect(hindranceOf(terms('LTV_ABOVE', '0.799'))).toBeNull();
    expect(hindranceOf(terms('LTV_ABOVE', '0.85'), TWO)).toBeNull();
    expect(hindranceOf(terms('LTV_ABOVE', '0.9'), TWO)).toBe('LIQUIDATED_FIRST');
    // 0.6 of debt at a ratio of 0.01: liquidated from 0.0133.
    expect(hindranceOf(terms('PRICE_RATIO_ABOVE', '0.0134'))).toBe('LIQUIDATED_FIRST');
    expect(hindranceOf(terms('PRICE_RATIO_ABOVE', '0.0133'))).toBeNull();
  });

  it('finds no debt, or other positions than it needs', () => {
    const free = positionsOf([[d('1'), d('1'), d('0.8')]], []);
    expect(hindranceOf(terms('LTV_BELOW', '0.5'), free)).toBe('NO_DEBT');
    expect(hindranceOf(terms('LTV_BELOW', '0.5', { opportunity: 'LEVER_UP_TO_LTV' }), free)).toBeNull();
    expect(hindranceOf(terms('PRICE_RATIO_BELOW', '0.5'), TWO)).toBe('POSITIONS');
    const debts = positionsOf(
      [[d('1000'), d('1'), d('0.8')]],
      [
        [ONE, ONE, ONE],
        [ONE, ONE, ONE],
      ],
    );
    expect(hindranceOf(terms('LTV_ABOVE', '0.5', { opportunity: 'DELEVERAGE_AMOUNT' }), debts)).toBe(
      'POSITIONS',
    );
    const named = { opportunity: 'DELEVERAGE_AMOUNT', debtMint: reserveAddress(9) } as const;
    expect(hindranceOf(terms('LTV_ABOVE', '0.5', named), debts)).toBeNull();
  });

  it('is switched off by the market, or unknown', () => {
    const order = terms('LTV_ABOVE', '0.7');
    expect(hindranceOf(order, PAIR, { ...MARKET, obligationOrderExecutionEnabled: 0 })).toBe(
      'EXECUTION_DISABLED',
    );
    const paused = { ...MARKET, priceTriggeredLiquidationDisabled: 1 };
    expect(hindranceOf(order, PAIR, paused)).toBe('PRICE_TRIGGERS_DISABLED');
    expect(hindranceOf(terms('ALWAYS', null), PAIR, paused)).toBeNull();
    expect(hindranceOf({ ...order, condition: null })).toBe('UNKNOWN_TERMS');
  });
});

const ONE = integer(1n);

describe('an order in words', () => {
  const say = (order: OrderTerms, positions = PAIR) =>
    outlookInWords(order, outlook(order, positions), (reserve) =>
      reserve === reserveAddress(0) ? 'SOL' : 'USDC',
    );

  it('says condition, action and bonus', () => {
    expect(orderInWords(terms('LTV_ABOVE', '0.75'), '')).toBe(
      'When the loan-to-value is above 75%: sell collateral to repay all debt, for a bonus of 0.5% to 2% to whoever executes it.',
    );
    const amount = terms('PRICE_RATIO_BELOW', '0.005', {
      opportunity: 'DELEVERAGE_AMOUNT',
      minBonus: d('0.02'),
    });
    expect(orderInWords(amount, '12.5 USDC')).toBe(
      'When the price of the debt in collateral is below 0.005: sell collateral to repay 12.5 USDC, for a bonus of 2% to whoever executes it.',
    );
  });

  it('says what is watched, and at which prices it triggers', () => {
    expect(say(terms('LTV_ABOVE', '0.75'))).toBe(
      'Now the loan-to-value is 60%. With other prices unchanged, the order triggers when SOL falls below 80 USD.',
    );
    expect(say(terms('LTV_BELOW', '0.5'))).toBe(
      'Now the loan-to-value is 60%. With other prices unchanged, the order triggers when SOL rises above 120 USD.',
    );
    expect(say(terms('LTV_ABOVE', '0.5'))).toBe('The condition holds now: the loan-to-value is 60%.');
    expect(say(terms('LIQUIDATION_LTV_CLOSER_THAN', '0.1'))).toBe(
      'Now the loan-to-value is 20% from liquidation. With other prices unchanged, the order triggers when SOL falls below 85.714286 USD.',
    );
    expect(say(terms('LTV_ABOVE', '0.85'))).toBe(
      'The obligation is liquidated before the threshold is reached. Now the loan-to-value is 60%.',
    );
    expect(say(terms('ALWAYS', null))).toBe('Anyone may execute the order now.');
  });

  it('rounds to eight digits', () => {
    expect(['0.8', '123456789.25', '0.0000123456789', '-2.5'].map((text) => inDigits(d(text)))).toEqual([
      '0.8',
      '123456789',
      '0.000012345679',
      '-2.5',
    ]);
    expect(inDigits(ZERO)).toBe('0');
  });
});
