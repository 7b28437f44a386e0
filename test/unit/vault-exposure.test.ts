import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { integer, Rational, sum } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { DebtAtRisk, DebtBacking } from '../../src/domain/risk/debt-tally.ts';
import { type LentPart, vaultExposures } from '../../src/domain/risk/vault-exposure.ts';
import { liquidityOver, withdrawalCapWithin } from '../../src/domain/vault-outflow.ts';

const at = (name: string) => name as Address;
const usd = (value: number) => BigInt(value) * FRACTION_ONE;
const part = (n: number, d: number) => Rational.of(BigInt(n), BigInt(d));

/** @param deposits USD by reserve, and the debts likewise */
const loan = (deposits: Readonly<Record<string, number>>, debts: Readonly<Record<string, number>>) => {
  const values = (of: Readonly<Record<string, number>>) =>
    Object.entries(of).map(([reserve, value]) => ({ reserve: at(reserve), valueSf: usd(value) }));
  const total = (of: Readonly<Record<string, number>>) =>
    usd(Object.values(of).reduce((all, value) => all + value, 0));
  return {
    deposits: values(deposits),
    debts: values(debts),
    depositedSf: total(deposits),
    borrowedSf: total(debts),
  } as never;
};

describe('what stands behind the debts to a reserve', () => {
  it('is the collateral of its loans, by value', () => {
    const backing = new DebtBacking();
    backing.add(loan({ sol: 300, btc: 100 }, { usdc: 80, usdt: 40 }));
    backing.add(loan({ sol: 50 }, { usdc: 20 }));
    backing.add(loan({}, { usdc: 7 }));
    const usdc = backing.byReserve().get(at('usdc'));
    expect(usdc).toMatchObject({ debtSf: usd(107), unsecuredSf: usd(7) });
    // 80 x 300/400 + 20, and 80 x 100/400.
    expect(Object.fromEntries(usdc?.bySf ?? [])).toEqual({ sol: usd(80), btc: usd(20) });
    expect(backing.byReserve().get(at('usdt'))?.bySf.get(at('sol'))).toBe(usd(30));
  });

  it('loses nothing to rounding', () => {
    const backing = new DebtBacking();
    backing.add(loan({ a: 1, b: 1, c: 1 }, { usdc: 100 }));
    const { debtSf, bySf } = backing.byReserve().get(at('usdc')) ?? expect.fail('no debt');
    expect([...bySf.values()].reduce((all, each) => all + each, 0n)).toBe(debtSf);
  });

  it('divides bad debt among the debts of a loan', () => {
    const atRisk = new DebtAtRisk();
    atRisk.add(loan({ sol: 60 }, { usdc: 80, usdt: 40 }), true, usd(60));
    atRisk.add(loan({ sol: 5 }, { usdc: 9 }), false, usd(4));
    expect(atRisk.byReserve().get(at('usdc'))).toEqual({ loans: 1, debtSf: usd(80), badDebtSf: usd(44) });
    expect(atRisk.byReserve().get(at('usdt'))).toEqual({ loans: 1, debtSf: usd(40), badDebtSf: usd(20) });
  });
});

describe('the exposures of a vault', () => {
  const lent = (share: Rational, utilization: Rational, more: Partial<LentPart> = {}): LentPart => ({
    share,
    utilization,
    backing: {
      debtSf: usd(100),
      unsecuredSf: usd(10),
      bySf: new Map([
        [at('sol'), usd(60)],
        [at('msol'), usd(30)],
      ]),
    },
    borrowedUsd: integer(100n),
    isPartial: false,
    ...more,
  });
  const mints: Readonly<Record<string, string>> = { sol: 'SOL', msol: 'mSOL' };
  const shown = (parts: readonly LentPart[]) => {
    const exposures = vaultExposures(at('USDC'), parts, (reserve) => (mints[reserve] as Address) ?? null);
    expect(toDecimalString(sum(exposures.map(({ share }) => share)))).toBe('1');
    return Object.fromEntries(
      exposures.map(({ kind, mint, share }) => [`${kind} ${mint}`, toDecimalString(share)]),
    );
  };

  it('are idle tokens, free ones, and lent ones by collateral', () => {
    expect(shown([lent(part(8, 10), part(5, 10))])).toEqual({
      'IDLE USDC': '0.2',
      'LIQUIDITY USDC': '0.4',
      // Of the 0.4 that are lent: 60 %, 30 % and 10 %.
      'COLLATERAL SOL': '0.24',
      'COLLATERAL mSOL': '0.12',
      'UNSECURED null': '0.04',
    });
  });

  it('of several reserves add up by token', () => {
    const one = lent(part(1, 2), part(1, 1));
    const other = lent(part(1, 2), part(0, 1));
    expect(shown([one, other])).toEqual({
      'LIQUIDITY USDC': '0.5',
      'COLLATERAL SOL': '0.3',
      'COLLATERAL mSOL': '0.15',
      'UNSECURED null': '0.05',
    });
  });

  it('are unknown for loans that cannot be valued', () => {
    // 100 USD of 125 are valued: a fifth is not.
    expect(
      shown([lent(part(1, 1), part(1, 1), { borrowedUsd: integer(125n), isPartial: true })]),
    ).toMatchObject({
      'UNKNOWN null': '0.2',
      'COLLATERAL SOL': '0.48',
    });
    const none = { backing: undefined };
    expect(shown([lent(part(1, 1), part(1, 2), none)])).toEqual({
      'LIQUIDITY USDC': '0.5',
      'UNKNOWN null': '0.5',
    });
    const unpriced = { borrowedUsd: null, isPartial: true };
    expect(shown([lent(part(1, 1), part(1, 1), unpriced)])).toEqual({ 'UNKNOWN null': '1' });
  });

  it('of an empty vault are its idle tokens', () => {
    expect(shown([])).toEqual({ 'IDLE USDC': '1' });
  });
});

describe('recorded liquidity', () => {
  const HOUR = 3_600n;
  const hours = (free: readonly (number | null)[]) =>
    free.flatMap((value, i) =>
      value === null ? [] : [{ start: BigInt(i) * HOUR, free: integer(BigInt(value)) }],
    );
  const over = (free: readonly (number | null)[], count: number) => {
    const found = liquidityOver(hours(free), BigInt(count) * HOUR);
    return found && [toDecimalString(found.inflow), toDecimalString(found.lowest)];
  };

  it('is the sum of its rises, and its least', () => {
    expect(over([100, 130, 90, 95], 3)).toEqual(['35', '90']);
    expect(over([100, 130, 90, 95], 1)).toEqual(['5', '95']);
    expect(over([100, 130, 90, 95], 2)).toEqual(['5', '90']);
  });

  it('is unknown for longer than it is recorded, and over a gap at its start', () => {
    expect(over([100, 130, 90, 95], 4)).toBeNull();
    expect(over([], 1)).toBeNull();
    expect(over([100, null, 90, 95], 2)).toBeNull();
    // A gap within the period leaves a lower bound.
    expect(over([100, null, 90, 95], 3)).toEqual(['5', '90']);
  });

  const cap = (currentTotal: bigint, lastIntervalStartTimestamp: bigint) => ({
    configCapacity: 100n,
    currentTotal,
    lastIntervalStartTimestamp,
    configIntervalLengthSeconds: 1_000n,
  });
  const within = (of: ReturnType<typeof cap>, seconds: bigint) => {
    const found = withdrawalCapWithin(of, 10_000n, seconds);
    return found && toDecimalString(found);
  };

  it('leaves under the outflow cap, which begins anew with each interval', () => {
    // 400 of the 1,000 seconds are over.
    expect(within(cap(70n, 9_600n), 599n)).toBe('30');
    expect(within(cap(70n, 9_600n), 600n)).toBe('130');
    expect(within(cap(70n, 9_600n), 1_600n)).toBe('230');
    // An interval that is over begins with the next withdrawal.
    expect(within(cap(70n, 8_000n), 999n)).toBe('100');
    expect(within(cap(70n, 8_000n), 1_000n)).toBe('200');
    expect(withdrawalCapWithin({ ...cap(0n, 0n), configIntervalLengthSeconds: 0n }, 10_000n, 1n)).toBeNull();
  });
});
