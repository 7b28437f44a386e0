import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { reserve } from '@sluice/protocol/klend/reserve';
import { AccountRole } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  addressNumber,
  MARKET,
  type ReserveSetting,
  reserveAddress,
} from '../support/builders/lending-accounts.ts';
import {
  type Asked,
  BALANCE,
  buildOn,
  errorsOf,
  LIQUIDATOR,
  tokenOf,
  unhealthy,
} from '../support/lending/liquidation-bench.ts';
import { LIQUIDATION_TERMS, SEIZABLE, UNHEALTHY } from '../support/lending/unhealthy-loan.ts';
import type { LendingBench } from '../support/localnet/lending-bench.ts';

describe('what the program refuses', () => {
  const failure = (bench: LendingBench, asked: Asked = {}) => {
    const built = buildOn(bench, asked);
    return { codes: errorsOf(built), number: bench.failureOf(built.action.instructions), built };
  };

  it('6016: a healthy loan, with its health factor and what would change it', () => {
    const { codes, number, built } = failure(unhealthy({ ...UNHEALTHY, borrows: [[1, 500_000_000n]] }));
    expect(codes).toEqual(['NOT_LIQUIDATABLE']);
    expect(number).toBe(6016);
    expect(built.preview.liquidation).toBeNull();
    expect(built.warnings[0]?.message).toBe(
      'The health factor is 1.7; at 1 the obligation can be liquidated. Its collateral would have to lose 41.17 % of its value, or its weighted debt grow from 500 to 850 USD.',
    );
  });

  it('6016: liquidations are switched off', () => {
    const bench = unhealthy();
    bench.change(lendingMarket, MARKET, { priceTriggeredLiquidationDisabled: 1 });
    expect(failure(bench)).toMatchObject({ codes: ['NOT_LIQUIDATABLE'], number: 6016 });
  });

  it('6042: the market is in emergency mode', () => {
    const bench = unhealthy();
    bench.change(lendingMarket, MARKET, { emergencyMode: 1 });
    expect(failure(bench)).toMatchObject({ codes: ['ACTION_NOT_ALLOWED'], number: 6042 });
  });

  it.each([
    ['of the debt', 1, 6175],
    ['of the collateral', 0, 6175],
    ['of another deposit', 2, 6017],
  ] as const)('a reserve %s in emergency mode', (_, index, number) => {
    const bench = unhealthy({
      ...UNHEALTHY,
      deposits: [
        [0, 1_000_000_000n],
        [2, 1_000n],
      ],
    });
    bench.change(reserve, reserveAddress(index), { config: { emergencyMode: 1 } });
    const { codes, number: found, built } = failure(bench);
    expect(codes).toEqual(['ACTION_NOT_ALLOWED']);
    expect(found).toBe(number);
    expect(built.preview.liquidation).toBeNull();
  });

  it.each([
    ['the market', { permissionedOps: 4n }, 0n, 0n],
    ['the reserve of the debt', {}, 4n, 0n],
    ['the reserve of the collateral', {}, 0n, 4n],
  ] as const)('6183, 3010: no permission, where %s demands one', (_, market, ofDebt, ofCollateral) => {
    const bench = unhealthy();
    const authority = addressNumber(61);
    bench.change(lendingMarket, MARKET, { permissioningAuthority: authority, ...market });
    bench.change(reserve, reserveAddress(1), { config: { permissionedOps: ofDebt } });
    bench.change(reserve, reserveAddress(0), { config: { permissionedOps: ofCollateral } });
    const { action, warnings, preview } = buildOn(bench);
    const told = warnings.filter(({ code }) => code === 'NEEDS_PERMISSION');
    expect(told.map(({ message }) => message)).toEqual([
      expect.stringContaining(`${authority} must also sign`),
    ]);
    const last = action.instructions.at(-1) ?? expect.fail('no liquidation');
    expect(last.accounts.at(-1)).toEqual({ address: authority, role: AccountRole.READONLY_SIGNER });
    const withLast = (accounts: typeof last.accounts) => [
      ...action.instructions.slice(0, -1),
      { ...last, accounts },
    ];
    const named = last.accounts.slice(0, -1);
    expect(bench.failureOf(withLast(named))).toBe(6183);
    const unsigned = { address: authority, role: AccountRole.READONLY };
    expect(bench.failureOf(withLast([...named, unsigned]))).toBe(3010);
    const source = tokenOf(bench.reserve(1).liquidity.mintPubkey);
    expect(bench.failureOf(action.instructions)).toBeNull();
    expect(BALANCE - bench.balance(source)).toBe(preview.liquidation?.repaid.amount);
  });

  it('asks for no permission without an authority, or for other operations', () => {
    for (const market of [{ permissionedOps: 7n }, { permissioningAuthority: MARKET, permissionedOps: 3n }]) {
      const bench = unhealthy();
      bench.change(lendingMarket, MARKET, market);
      const { action, warnings } = buildOn(bench);
      expect(warnings.map(({ code }) => code)).not.toContain('NEEDS_PERMISSION');
      expect(bench.failureOf(action.instructions)).toBeNull();
    }
  });

  it('6087: the collateral cannot be seized', () => {
    const bench = unhealthy({
      ...UNHEALTHY,
      deposits: [
        [0, 1_000_000_000n],
        [2, 1n],
      ],
    });
    bench.change(reserve, reserveAddress(0), { config: { liquidationThresholdPct: 0 } });
    expect(failure(bench)).toMatchObject({ codes: ['NOT_LIQUIDATABLE'], number: 6087 });
  });

  it('6099, 6100: another debt or collateral comes first', () => {
    const debts = unhealthy({
      ...UNHEALTHY,
      borrows: [
        [1, 500_000_000n],
        [2, 500_000_000n],
      ],
    });
    debts.change(reserve, reserveAddress(2), { config: { borrowFactorPct: 150n } });
    expect(failure(debts)).toMatchObject({ codes: ['LIQUIDATION_ORDER'], number: 6099 });
    const deposits = unhealthy({
      ...UNHEALTHY,
      deposits: [
        [0, 500_000_000n],
        [2, 500_000_000n],
      ],
    });
    deposits.change(reserve, reserveAddress(2), { config: { liquidationThresholdPct: 60 } });
    expect(failure(deposits)).toMatchObject({ codes: ['LIQUIDATION_ORDER'], number: 6100 });
  });

  it('6121: a part of a debt that must be repaid whole', () => {
    const bench = unhealthy({
      ...UNHEALTHY,
      market: { ...LIQUIDATION_TERMS, minFullLiquidationValueThreshold: 1_000n },
    });
    const asked = { amount: { baseUnits: 899_999_999n } };
    expect(failure(bench, asked)).toMatchObject({ codes: ['AMOUNT_BELOW_MINIMUM'], number: 6121 });
  });

  it('6066: less collateral than the minimum', () => {
    expect(failure(unhealthy(), { minReceived: 184_500_000n })).toMatchObject({
      codes: ['RECEIVED_TOO_LITTLE'],
      number: 6066,
    });
    expect(failure(unhealthy(), { minReceived: 184_499_999n })).toMatchObject({ codes: [], number: null });
  });

  it('6009: a price that is too old', () => {
    const old: ReserveSetting = { config: SEIZABLE, oracle: { ageSeconds: 500n } };
    expect(failure(unhealthy({ ...UNHEALTHY, reserves: [old, old] }))).toMatchObject({
      codes: ['PRICE_REFUSED', 'PRICE_REFUSED'],
      number: 6009,
    });
  });

  it('a wallet without the tokens', () => {
    const bench = unhealthy();
    const { mintPubkey } = bench.reserve(1).liquidity;
    bench.setBalance(tokenOf(mintPubkey), mintPubkey, LIQUIDATOR, 179_999_999n);
    const { codes, number } = failure(bench);
    expect(codes).toEqual(['BALANCE_TOO_LOW']);
    expect(number).toBe(1);
  });

  it('positions that the obligation does not have', () => {
    expect(() => buildOn(unhealthy(), { repay: 2 })).toThrow(/no debt/);
    expect(() => buildOn(unhealthy(), { withdraw: 2 })).toThrow(/no deposit/);
  });
});
