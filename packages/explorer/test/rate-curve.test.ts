import { describe, expect, it } from 'vitest';
import { rateCurve } from '../src/pages/reserve/rate-curve.ts';

/** 10 % of the interest for the protocol, slots of 400 ms: a year has 1.25 times the interest of the curve. */
const RESERVE = {
  borrowCurve: [
    { utilization: '0', rate: '0.02' },
    { utilization: '0.8', rate: '0.1' },
    { utilization: '1', rate: '0.5' },
  ],
  utilization: '0.4',
  borrowApr: '0.075',
  supplyApr: '0.027',
  interestRateBasis: 'PER_SLOT',
  fees: { hostFixedRate: '0', protocolTake: '0.1' },
} as const;
const SLOT_MS = '400';

const at = (curve: ReturnType<typeof rateCurve>, utilization: number) => {
  const index = curve.utilizations.indexOf(utilization);
  return { borrow: curve.borrow[index], supply: curve.supply[index] };
};

describe('rate curve of a reserve', () => {
  it('is not scaled where rates are per second', () => {
    const curve = rateCurve({ ...RESERVE, interestRateBasis: 'PER_SECOND', borrowApr: '0.06' }, SLOT_MS);
    expect(at(curve, 0.8).borrow).toBeCloseTo(0.1, 12);
    expect(at(curve, 0.8).supply).toBeCloseTo(0.8 * 0.1 * 0.9, 12);
  });

  it('is scaled to real slots and runs from empty to full', () => {
    const curve = rateCurve(RESERVE, SLOT_MS);
    expect(curve.utilizations[0]).toBe(0);
    expect(curve.utilizations.at(-1)).toBe(1);
    expect(at(curve, 0).borrow).toBeCloseTo(0.025, 12);
    expect(at(curve, 1).borrow).toBeCloseTo(0.625, 12);
  });

  it('is linear between its points', () => {
    const curve = rateCurve(RESERVE, SLOT_MS);
    expect(at(curve, 0.2).borrow).toBeCloseTo(0.05, 12);
    expect(at(curve, 0.9).borrow).toBeCloseTo(0.375, 12);
  });

  it('gives suppliers the interest on what is lent, less the take of the protocol', () => {
    const curve = rateCurve(RESERVE, SLOT_MS);
    expect(at(curve, 0).supply).toBe(0);
    expect(at(curve, 0.8).supply).toBeCloseTo(0.09, 12);
    expect(at(curve, 1).supply).toBeCloseTo(0.5625, 12);
  });

  it('has the published rates of today at today’s utilization alone, on the lines', () => {
    const curve = rateCurve({ ...RESERVE, utilization: '0.4444', borrowApr: '0.08055' }, SLOT_MS);
    const today = curve.utilizations.indexOf(0.4444);
    expect(curve.borrowToday.filter((rate) => rate !== null)).toEqual([0.08055]);
    expect(curve.borrowToday[today]).toBe(0.08055);
    expect(curve.borrow[today]).toBeCloseTo(0.08055, 12);
    expect(curve.supplyToday.filter((rate) => rate !== null)).toEqual([0.027]);
    expect(curve.fixed).toBe(false);
  });

  it('adds the host rate for borrowers and not for suppliers', () => {
    const fees = { hostFixedRate: '0.01', protocolTake: '0.1' };
    const curve = rateCurve({ ...RESERVE, fees, borrowApr: '0.0875' }, SLOT_MS);
    expect(at(curve, 0.4).borrow).toBeCloseTo(0.0875, 12);
    expect(at(curve, 0.4).supply).toBeCloseTo(0.027, 12);
  });

  it('is level when the reserve charges its first rate at any utilization', () => {
    const curve = rateCurve({ ...RESERVE, borrowApr: '0.025' }, SLOT_MS);
    expect(curve.fixed).toBe(true);
    expect(new Set(curve.borrow.map((rate) => rate.toFixed(9)))).toEqual(new Set(['0.025000000']));
  });

  it('covers a utilization above one, which interest can cause', () => {
    const curve = rateCurve({ ...RESERVE, utilization: '1.002', borrowApr: '0.625' }, SLOT_MS);
    expect(curve.utilizations.at(-1)).toBe(1.002);
    expect(curve.borrow.at(-1)).toBeCloseTo(0.625, 12);
    expect(curve.borrowToday.at(-1)).toBe(0.625);
  });
});
