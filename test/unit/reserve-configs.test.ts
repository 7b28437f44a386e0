import { describe, expect, it } from 'vitest';
import { reserveConfigFrom } from '../../src/store/history/reserve-configs.ts';

const KEY = 'So11111111111111111111111111111111111111112';
const WRITTEN = {
  market: KEY,
  status: 'Active',
  symbol: 'SOL',
  mintAddress: KEY,
  decimals: 9,
  loanToValue: 0.7,
  liquidationThreshold: 0.75,
  borrowFactor: 100,
  protocolTakeRate: 0.1,
  minLiquidationBonus: 0.02,
  maxLiquidationBonus: 0.1,
  reserveDepositLimit: '1000',
  reserveBorrowLimit: '500',
  hostFixedInterestRate: '0',
  borrowLimitOutsideElevationGroup: '0',
  borrowLimitAgainstCollateralInElevationGroups: ['0', '1'],
  borrowCurve: [
    [0, 0],
    [1, 0.5],
  ],
};

/** An internal error whose cause names the field. */
const naming = (field: string) => ({
  code: 'INTERNAL',
  cause: { message: expect.stringContaining(`Expected ${field} to be `) },
});

function errorOf(value: unknown): unknown {
  try {
    return reserveConfigFrom(value);
  } catch (error) {
    return error;
  }
}

describe('a stored reserve configuration', () => {
  it('is read in canonical field order, without unknown fields', () => {
    const shuffled = { newer: true, ...Object.fromEntries(Object.entries(WRITTEN).reverse()) };
    expect(JSON.stringify(reserveConfigFrom(shuffled))).toBe(JSON.stringify(WRITTEN));
  });

  it.each<[field: keyof typeof WRITTEN, value: unknown]>([
    ['market', 'no address'],
    ['status', 1],
    ['decimals', '9'],
    ['mintAddress', undefined],
    ['borrowLimitAgainstCollateralInElevationGroups', ['0', 1]],
    ['borrowCurve', [[0, 0, 0]]],
    ['borrowCurve', 'flat'],
  ])('is rejected, naming the field, when %s is %j', (field, value) => {
    expect(errorOf({ ...WRITTEN, [field]: value })).toMatchObject(naming(field));
  });

  it.each([null, 'text', 7])('is rejected when it is %j', (value) => {
    expect(errorOf(value)).toMatchObject(naming('market'));
  });
});
