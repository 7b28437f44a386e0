import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { describe, expect, it } from 'vitest';
import { storedReserve } from '../../src/domain/interest.ts';
import { missingForQueue, missingForTicket, payableQueue } from '../../src/domain/queue-liquidity.ts';
import { ticketPayment } from '../../src/domain/ticket-payment.ts';
import { makeMarket, makeReserve, type ReserveInput, SLOT } from '../support/domain/domain-accounts.ts';

const USDC = 1_000_000n;

/** 2 USDC for each collateral token: 1,000 USDC supplied, all but `available` of them lent without interest. */
function reserveWith(available: bigint, queued: bigint, config: ReserveInput['config'] = {}) {
  const account = makeReserve({
    lastUpdate: { slot: SLOT },
    liquidity: {
      totalAvailableAmount: available * USDC,
      borrowedAmountSf: (1_000n - available) * USDC * FRACTION_ONE,
      cumulativeBorrowRateBsf: { value: [FRACTION_ONE, 0n, 0n, 0n] },
      marketPriceSf: FRACTION_ONE,
      mintDecimals: 6n,
    },
    collateral: { mintTotalSupply: 500n * USDC },
    withdrawQueue: { queuedCollateralAmount: queued * USDC },
    config,
  });
  return storedReserve(account);
}

const whole = (collateral: bigint) => collateral * USDC;
const usdc = (amount: { readonly floor: () => bigint }) => Number(amount.floor()) / 1e6;

describe('a queue', () => {
  it('is paid from what is available, and waits for the rest', () => {
    const [short, enough] = [reserveWith(60n, 100n), reserveWith(300n, 100n)];
    expect([usdc(payableQueue(short)), usdc(missingForQueue(short))]).toEqual([60, 140]);
    expect([usdc(payableQueue(enough)), usdc(missingForQueue(enough))]).toEqual([200, 0]);
  });
});

describe('a ticket', () => {
  const market = makeMarket({ minWithdrawQueuedLiquidityValue: 2n });
  /** Base units; nothing if the program refuses the payment. */
  const payment = (
    reserve: ReturnType<typeof reserveWith>,
    ahead: bigint,
    own: bigint,
    priceSf = FRACTION_ONE,
  ) => {
    const { liquidity, refusal } = ticketPayment({ accrued: reserve, market, priceSf }, own, ahead);
    return refusal === null ? liquidity : 0n;
  };
  const payable = (available: bigint, ahead: bigint, own: bigint) =>
    Number(payment(reserveWith(available, 100n), whole(ahead), whole(own))) / 1e6;

  it('is paid after those before it', () => {
    // 60 USDC: 20 for the 10 tokens before it, 40 for its 20.
    expect(payable(60n, 10n, 20n)).toBe(40);
    expect(payable(60n, 10n, 15n)).toBe(30);
    expect(payable(60n, 10n, 50n)).toBe(40);
    expect(payable(60n, 30n, 50n)).toBe(0);
    expect(payable(60n, 40n, 50n)).toBe(0);
  });

  it('is paid in part only if that pays and leaves enough', () => {
    // Two dollars are the least: 1 USDC is left for it, then 1 USDC of it would be left.
    expect(payable(21n, 10n, 50n)).toBe(0);
    expect(payable(22n, 10n, 50n)).toBe(2);
    expect(payment(reserveWith(60n, 100n), 0n, 30_500_000n)).toBe(0n);
    expect(payable(60n, 0n, 31n)).toBe(60);
    // The whole of it may be worth less.
    expect(payment(reserveWith(60n, 100n), 0n, 1n)).toBe(2n);
  });

  it('is not paid in part without a price', () => {
    expect(payment(reserveWith(60n, 100n), 0n, whole(50n), 0n)).toBe(0n);
    expect(payment(reserveWith(100n, 100n), 0n, whole(50n), 0n)).toBe(100n * USDC);
  });

  it('waits for what it and those before it lack', () => {
    const missing = (ahead: bigint, own: bigint) =>
      usdc(missingForTicket(reserveWith(60n, 100n), { ahead: whole(ahead), own: whole(own) }));
    expect([missing(10n, 20n), missing(10n, 50n), missing(40n, 10n)]).toEqual([0, 60, 40]);
  });

  it('is not paid beyond the outflow cap', () => {
    const capped = (ahead: bigint, own: bigint, capacity = 70n) => {
      const depositWithdrawalCap = {
        configCapacity: capacity * USDC,
        currentTotal: 20n * USDC,
        configIntervalLengthSeconds: 86_400n,
      };
      const reserve = reserveWith(60n, 100n, { depositWithdrawalCap });
      return [Number(payment(reserve, whole(ahead), whole(own))) / 1e6, usdc(payableQueue(reserve))];
    };
    // 50 USDC are left of the cap. A payment beyond it is not cut, but rejected.
    expect(capped(10n, 15n)).toEqual([30, 50]);
    expect(capped(10n, 16n)).toEqual([0, 50]);
    expect(capped(10n, 50n)).toEqual([0, 50]);
    expect(capped(10n, 50n, 80n)).toEqual([40, 60]);
  });
});
