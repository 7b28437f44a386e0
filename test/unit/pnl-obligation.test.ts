import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import type { LendingEvent } from '@sluice/protocol/transactions/events';
import { describe, expect, it } from 'vitest';
import { named } from '../../packages/protocol/test/support/transaction-maker.ts';
import { ObligationFold, type ReserveQuotes } from '../../src/domain/pnl/obligation-fold.ts';
import { obligationPnl, priceInSol } from '../../src/domain/pnl/obligation-pnl.ts';
import { drained } from '../support/domain/drained.ts';
import { lendingEvent, type Steps, steps, text } from '../support/domain/pnl-histories.ts';

interface Given {
  readonly exchange: Steps;
  readonly borrow: Steps;
  readonly usd: Steps;
  readonly stakeRate?: Steps;
}

/** Reserves of mints without decimals. The SOL price is that of the reserve named SOL. */
function quotesOf(given: Readonly<Record<string, Given>>): ReserveQuotes {
  const byAddress = new Map(Object.entries(given).map(([name, each]) => [named(name), each]));
  const solUsd = steps(given.SOL?.usd ?? []);
  return (reserve, time) => {
    const { exchange = [], borrow = [], usd = [], stakeRate = [] } = byAddress.get(reserve) ?? {};
    const priceUsd = steps(usd)(time);
    return {
      decimals: 0,
      liquidityPerCollateral: steps(exchange)(time),
      cumulativeBorrowRate: steps(borrow)(time),
      priceUsd,
      priceSol: priceInSol(priceUsd, solUsd(time), steps(stakeRate)(time)),
    };
  };
}

const QUOTES = quotesOf({
  SOL: {
    exchange: [
      [0, '1'],
      [20, '1.1'],
    ],
    borrow: [[0, '1']],
    usd: [
      [0, '100'],
      [20, '120'],
    ],
  },
  USDC: {
    exchange: [[0, '1']],
    borrow: [
      [0, '1'],
      [20, '1.1'],
    ],
    usd: [[0, '1']],
  },
});

const supplied = lendingEvent('deposit', 'collateral', 'SOL', 0, { liquidity: 10n, collateral: 10n });
const borrowed = lendingEvent('borrow', 'debt', 'USDC', 10, { liquidity: 300n, fee: 3n });

function pnlOf(
  events: readonly LendingEvent[],
  now: number,
  mode: Parameters<typeof obligationPnl>[3] = 'current_obligation',
  quotes = QUOTES,
) {
  const { usd, sol, invested } = drained(obligationPnl)(events, quotes, now, mode);
  return { usd: text(usd), sol: text(sol), invested: [text(invested.usd), text(invested.sol)] };
}

describe('an obligation folded from its events', () => {
  it('grows by exchange rate and borrow rate, including the origination fee', () => {
    const fold = new ObligationFold(QUOTES);
    for (const event of [supplied, borrowed]) fold.apply(event);
    const { deposits, borrows } = fold.at(20);
    expect(deposits.map(({ collateral, amount }) => [collateral, text(amount)])).toEqual([[10n, '11']]);
    expect(borrows.map(({ amount }) => text(amount))).toEqual(['333.3']);
  });

  it('adds debts of different times at their own rates', () => {
    const fold = new ObligationFold(QUOTES);
    const more = lendingEvent('borrow', 'debt', 'USDC', 20, { liquidity: 100n });
    const less = lendingEvent('repay', 'debt', 'USDC', 20, { liquidity: 33n });
    for (const event of [supplied, borrowed, more, less]) fold.apply(event);
    expect(fold.at(20).borrows.map(({ amount }) => text(amount))).toEqual(['400.3']);
  });

  it('closes a debt repaid with rounding, and is empty after a full withdrawal', () => {
    const fold = new ObligationFold(QUOTES);
    const repaid = lendingEvent('repay', 'debt', 'USDC', 20, { liquidity: 334n });
    const out = lendingEvent('withdraw', 'collateral', 'SOL', 20, { liquidity: 11n, collateral: 10n });
    for (const event of [supplied, borrowed, repaid]) fold.apply(event);
    expect(fold.at(20).borrows).toEqual([]);
    expect(fold.isEmpty).toBe(false);
    fold.apply(out);
    expect([fold.isEmpty, fold.complete]).toEqual([true, true]);
  });

  it('loses debt and collateral in a liquidation', () => {
    const fold = new ObligationFold(QUOTES);
    const paid = lendingEvent('liquidation', 'debt', 'USDC', 20, { liquidity: 100n });
    const taken = lendingEvent('liquidation', 'collateral', 'SOL', 20, { liquidity: 1n, collateral: 1n });
    for (const event of [supplied, borrowed, paid, taken]) fold.apply(event);
    expect(fold.at(20).deposits.map(({ collateral }) => collateral)).toEqual([9n]);
    expect(fold.at(20).borrows.map(({ amount }) => text(amount))).toEqual(['233.3']);
  });

  it('has an unknown debt without a recorded rate, until all collateral is withdrawn', () => {
    const late = quotesOf({
      SOL: { exchange: [[0, '1']], borrow: [], usd: [[0, '100']] },
      USDC: { exchange: [], borrow: [[15, '1.1']], usd: [[0, '1']] },
    });
    const fold = new ObligationFold(late);
    for (const event of [supplied, borrowed]) fold.apply(event);
    expect(fold.at(20).borrows).toEqual([{ reserve: named('USDC'), amount: null }]);
    expect(pnlOf([supplied, borrowed], 20, 'current_obligation', late)).toEqual({
      usd: null,
      sol: null,
      invested: ['700', '7'],
    });
    fold.apply(lendingEvent('repay', 'debt', 'USDC', 18, { liquidity: 340n }));
    fold.apply(lendingEvent('withdraw', 'collateral', 'SOL', 19, { liquidity: 10n, collateral: 10n }));
    expect(fold.isEmpty).toBe(true);
  });

  it('is incomplete when events remove more than they added', () => {
    const fold = new ObligationFold(QUOTES);
    fold.apply(lendingEvent('withdraw', 'collateral', 'SOL', 5, { liquidity: 1n, collateral: 1n }));
    expect([fold.isEmpty, fold.complete]).toEqual([true, false]);
  });
});

describe('its profit and loss', () => {
  it('is net value plus payments out minus payments in, at the prices of each moment', () => {
    // 11 SOL at 120 minus 333.3 is 986.7; paid in 1000, paid out 300. In SOL: 11 - 2.7775 versus 10 - 3.
    expect(pnlOf([supplied, borrowed], 20)).toEqual({ usd: '286.7', sol: '1.2225', invested: ['700', '7'] });
  });

  it('includes the cost of a liquidation, which is neither paid in nor out', () => {
    const paid = lendingEvent('liquidation', 'debt', 'USDC', 20, { liquidity: 110n });
    const taken = lendingEvent('liquidation', 'collateral', 'SOL', 20, { liquidity: 1n, collateral: 1n });
    // 1 collateral token is 132 USD: 22 more than was repaid.
    expect(pnlOf([supplied, borrowed, paid, taken], 20)).toEqual({
      usd: '264.7',
      sol: '1.039166666666666666666666666666667',
      invested: ['700', '7'],
    });
  });

  it('values collateral tokens that moved without redemption at the exchange rate', () => {
    const unredeemed = lendingEvent('withdraw', 'collateral', 'SOL', 20, { liquidity: null, collateral: 5n });
    expect(pnlOf([supplied, unredeemed], 20)).toEqual({ usd: '320', sol: '1', invested: ['340', '4.5'] });
  });

  it('restarts when the obligation was empty, unless the mode is all time', () => {
    const out = lendingEvent('withdraw', 'collateral', 'SOL', 20, { liquidity: 11n, collateral: 10n });
    const back = lendingEvent('deposit', 'collateral', 'SOL', 21, { liquidity: 2n, collateral: 2n });
    expect(pnlOf([supplied, out], 22)).toEqual({ usd: '0', sol: '0', invested: ['0', '0'] });
    expect(pnlOf([supplied, out], 22, 'obligation_all_time')).toEqual({
      usd: '320',
      sol: '1',
      invested: ['-320', '-1'],
    });
    // 2 collateral tokens are immediately worth 2.2 SOL.
    expect(pnlOf([supplied, out, back], 22)).toEqual({ usd: '24', sol: '0.2', invested: ['240', '2'] });
    expect(pnlOf([supplied, out, back], 22, 'obligation_all_time')).toEqual({
      usd: '344',
      sol: '1.2',
      invested: ['-80', '1'],
    });
  });

  it('values a liquid-staking token by its stake rate if given', () => {
    const staked = (stakeRate: Steps) =>
      quotesOf({
        SOL: { exchange: [[0, '1']], borrow: [], usd: [[0, '100']] },
        jitoSOL: {
          exchange: [[0, '1']],
          borrow: [],
          usd: [
            [0, '118'],
            [20, '130'],
          ],
          stakeRate,
        },
      });
    const events = [lendingEvent('deposit', 'collateral', 'jitoSOL', 0, { liquidity: 10n, collateral: 10n })];
    expect(pnlOf(events, 20, 'current_obligation', staked([]))).toMatchObject({
      sol: '1.2',
      invested: ['1180', '11.8'],
    });
    expect(
      pnlOf(
        events,
        20,
        'current_obligation',
        staked([
          [0, '1.2'],
          [20, '1.25'],
        ]),
      ),
    ).toMatchObject({
      sol: '0.5',
      invested: ['1180', '12'],
    });
    expect(priceInSol(null, parseDecimal('100'), null)).toBeNull();
  });
});
