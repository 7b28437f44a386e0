import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { describe, expect, it } from 'vitest';
import {
  estimateTicket,
  type RecordedHour,
  recordedInflow,
  type WaitingTicket,
} from '../../src/domain/ticket-estimate.ts';

const START = 1_790_000_000n - (1_790_000_000n % 3_600n);

interface Hour {
  /** Hours since the first one. */
  readonly at: number;
  readonly supplied?: string;
  readonly borrowed?: string;
  readonly fees?: string;
  readonly free?: string;
  readonly collateral?: string;
}

/** 1,000 supplied and 990 lent, so that 10 are available; half a collateral token for each. */
const hour = ({ at, supplied, borrowed, fees, free, collateral }: Hour): RecordedHour => ({
  start: START + BigInt(at) * 3_600n,
  supplied: parseDecimal(supplied ?? '1000'),
  borrowed: parseDecimal(borrowed ?? '990'),
  protocolFees: parseDecimal(fees ?? '0'),
  free: parseDecimal(free ?? '0'),
  collateralSupply: parseDecimal(collateral ?? '500'),
  exchangeRate: parseDecimal('0.5'),
});

const hours = (count: number, change: (at: number) => Omit<Hour, 'at'> = () => ({})) =>
  Array.from({ length: count }, (_, at) => hour({ at, ...change(at) }));

const perDay = (recorded: readonly RecordedHour[]) => {
  const inflow = recordedInflow(recorded);
  return inflow && toDecimalString(inflow.perDay);
};

describe('the recorded inflow', () => {
  it('is nothing where nothing changes', () => {
    expect(recordedInflow(hours(25))).toMatchObject({ from: START, until: START + 25n * 3_600n });
    expect(perDay(hours(25))).toBe('0');
  });

  it('is the change of the available liquidity, per day', () => {
    // 10 at first, 34 two days later.
    expect(perDay(hours(49, (at) => (at === 48 ? { borrowed: '966' } : {})))).toBe('12');
    expect(perDay(hours(49, (at) => (at === 48 ? { borrowed: '996' } : {})))).toBe('-3');
  });

  it('has what the queue was paid: a day brings 60', () => {
    // Repayments of 60: 40 pay for 20 collateral tokens, 20 are left in the reserve.
    const recorded = hours(25, (at) => ({
      ...(at >= 7 ? { collateral: '492' } : {}),
      ...(at >= 8 ? { collateral: '480', supplied: '960', borrowed: '930' } : {}),
    }));
    expect(perDay(recorded)).toBe('60');
  });

  it('begins when nothing is free any more', () => {
    // Everything was lent within 10 hours, and 24 have been repaid in the day after.
    const drained = (at: number) =>
      at < 10
        ? { free: String(1_000 - 100 * at), borrowed: String(100 * at) }
        : { borrowed: String(1_010 - at) };
    const recorded = hours(35, drained);
    expect(recordedInflow(recorded)).toMatchObject({ from: START + 36_000n, until: START + 126_000n });
    expect(perDay(recorded)).toBe('24');
    expect(recordedInflow(recorded.slice(0, -1))).toBeNull();
    expect(recordedInflow(hours(49, (at) => (at === 48 ? { free: '0.1' } : {})))).toBeNull();
  });

  it('counts nothing as paid in a gap', () => {
    const recorded = hours(26, (at) => (at >= 8 ? { collateral: '480' } : {})).filter(
      ({ start }) => start !== START + 8n * 3_600n,
    );
    expect(perDay(recorded)).toBe('0');
  });

  it('has protocol fees, which are not part of the supply', () => {
    // Interest of 10 is owed, a tenth of it to the protocol: nothing came in.
    const accrued = { supplied: '1009', borrowed: '1000', fees: '1' };
    expect(perDay(hours(25, (at) => (at >= 23 ? accrued : {})))).toBe('0');
    // Fees at the end of the last hour are more than its mean.
    expect(perDay(hours(25, (at) => (at === 24 ? { fees: '1' } : {})))).toBe('0');
  });

  it('is null for less than a day', () => {
    expect([recordedInflow([]), recordedInflow(hours(1)), recordedInflow(hours(24))]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

describe('the estimate of a ticket', () => {
  const inflow = (daily: string) => ({ from: START, until: START + 86_400n, perDay: parseDecimal(daily) });
  const waiting: WaitingTicket = {
    isWaiting: true,
    isPaymentBlocked: false,
    isCapped: false,
    missing: parseDecimal('150'),
    inflow: inflow('60'),
  };

  it('is two and a half days for 150 at 60 a day', () => {
    expect(estimateTicket(waiting)).toEqual({ state: 'ESTIMATED', seconds: 216_000n });
  });

  it('is rounded up to the second', () => {
    const { seconds } = estimateTicket({ ...waiting, missing: parseDecimal('1'), inflow: inflow('7') });
    // 86,400 / 7 = 12,342.86
    expect(seconds).toBe(12_343n);
  });

  it('reaches no further than 90 days', () => {
    const state = (missing: string) => estimateTicket({ ...waiting, missing: parseDecimal(missing) }).state;
    expect([state('5400'), state('5400.000001')]).toEqual(['ESTIMATED', 'TOO_FAR']);
  });

  it.each<[string, Partial<WaitingTicket>]>([
    ['NOT_WAITING', { isWaiting: false, isPaymentBlocked: true }],
    ['PAYMENTS_BLOCKED', { isPaymentBlocked: true, missing: parseDecimal('0') }],
    ['PLACE_UNKNOWN', { missing: null }],
    ['PAYABLE_NOW', { missing: parseDecimal('0'), inflow: undefined }],
    ['OUTFLOW_CAP', { missing: parseDecimal('0'), isCapped: true }],
    ['HISTORY_UNAVAILABLE', { inflow: undefined }],
    ['HISTORY_TOO_SHORT', { inflow: null }],
    ['NO_INFLOW', { inflow: inflow('0') }],
    ['NO_INFLOW', { inflow: inflow('-4') }],
  ])('is not made: %s', (state, change) => {
    expect(estimateTicket({ ...waiting, ...change })).toEqual({ state, seconds: null });
  });
});
