import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { reserve } from '@sluice/protocol/klend/reserve';
import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import {
  MAINNET_PROGRAMS,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { type AmountInput, toBaseUnits } from '../../src/builders/amount.ts';
import { liquidationAccounts } from '../../src/builders/liquidation/accounts.ts';
import { buildLiquidation } from '../../src/builders/liquidation/liquidate.ts';
import { liquidationOutcome } from '../../src/builders/liquidation/outcome.ts';
import { liquidationPreview } from '../../src/builders/liquidation/preview.ts';
import type { LiquidationRequest } from '../../src/builders/liquidation/request.ts';
import { liquidationWarnings } from '../../src/builders/liquidation/warnings.ts';
import { refreshedObligation } from '../../src/domain/refreshed-obligation.ts';
import {
  addressNumber,
  type LendingSetting,
  MARKET,
  NOW,
  type ReserveSetting,
  reserveAddress,
} from '../support/builders/lending-accounts.ts';
import { LIQUIDATION_TERMS, SEIZABLE, UNHEALTHY } from '../support/lending/unhealthy-loan.ts';
import { type LendingBench, lendingBench } from '../support/localnet/lending-bench.ts';

const LIQUIDATOR = addressNumber(60);
const BALANCE = 10n ** 12n;

const tokenOf = (mint: Address) => associatedTokenAddress(LIQUIDATOR, TOKEN_PROGRAM, mint).address;

interface Asked {
  readonly amount?: AmountInput;
  readonly minReceived?: bigint;
  readonly repay?: number;
  readonly withdraw?: number;
}

/** A liquidator with tokens of every reserve, in front of the obligation of a setting. */
function unhealthy(setting: LendingSetting = UNHEALTHY): LendingBench {
  const bench = lendingBench(setting, 'repay', 1);
  const lamports = 100n * 10n ** 9n;
  bench.set(LIQUIDATOR, { owner: SYSTEM_PROGRAM, lamports, data: new Uint8Array(), executable: false });
  (setting.reserves ?? []).forEach(({ sol }, index) => {
    const { mintPubkey } = bench.reserve(index).liquidity;
    if (!sol) bench.setBalance(tokenOf(mintPubkey), mintPubkey, LIQUIDATOR, BALANCE);
  });
  return bench;
}

function build(bench: LendingBench, { amount = { all: true }, minReceived = 0n, ...asked }: Asked = {}) {
  const request: LiquidationRequest = {
    programs: MAINNET_PROGRAMS,
    wallet: LIQUIDATOR,
    obligation: bench.obligationAddress,
    repayReserve: reserveAddress(asked.repay ?? 1),
    withdrawReserve: reserveAddress(asked.withdraw ?? 0),
    lookupTables: [],
    oracles: [],
  };
  const accounts = liquidationAccounts(request, (each) => bench.get(each) ?? null, NOW.slot, LIQUIDATOR);
  const units = toBaseUnits(amount, { decimals: 6, maxMeansAll: true });
  const outcome = liquidationOutcome(accounts, units, NOW);
  const action = buildLiquidation(accounts, { asked: units, minReceived }, outcome, NOW);
  const warnings = liquidationWarnings(accounts, action, minReceived, outcome, NOW);
  return { accounts, outcome, action, preview: liquidationPreview(accounts, outcome, warnings), warnings };
}

const errorsOf = ({ warnings }: ReturnType<typeof build>) =>
  warnings.filter(({ level }) => level === 'ERROR').map(({ code }) => code);

const shortReserve: ReserveSetting = { config: SEIZABLE, available: 50_000_000n, borrowed: 999_950_000_000n };
const emptyReserve: ReserveSetting = { config: SEIZABLE, available: 0n, borrowed: 1_000_000_000_000n };
const grouped: ReserveSetting = {
  config: {
    ...SEIZABLE,
    elevationGroups: Uint8Array.of(1),
    borrowLimitAgainstThisCollateralInElevationGroup: [10n ** 15n],
  },
};

const CASES: readonly (readonly [string, LendingSetting, Asked])[] = [
  ['a fifth of the debt', UNHEALTHY, {}],
  ['less than allowed', UNHEALTHY, { amount: { baseUnits: 77_000_001n } }],
  ['more than allowed', UNHEALTHY, { amount: { baseUnits: 777_000_001n } }],
  ['an insolvent loan', { ...UNHEALTHY, borrows: [[1, 1_200_000_000n]] }, {}],
  ['a nearly bad loan', { ...UNHEALTHY, borrows: [[1, 993_000_001n]] }, {}],
  [
    'a debt below the minimum',
    { ...UNHEALTHY, market: { ...LIQUIDATION_TERMS, minFullLiquidationValueThreshold: 1_000n } },
    {},
  ],
  ['a reserve with little liquidity', { ...UNHEALTHY, reserves: [shortReserve, { config: SEIZABLE }] }, {}],
  ['a reserve without liquidity', { ...UNHEALTHY, reserves: [emptyReserve, { config: SEIZABLE }] }, {}],
  [
    'debt and collateral of the same reserve',
    {
      ...UNHEALTHY,
      reserves: [{ config: SEIZABLE, collateral: 987_654_321_012n }, { config: SEIZABLE }],
      borrows: [[0, 917_000_003n]],
    },
    { repay: 0 },
  ],
  [
    'a loan in an elevation group',
    {
      ...UNHEALTHY,
      reserves: [grouped, grouped],
      change: { elevationGroup: 1 },
      market: {
        ...LIQUIDATION_TERMS,
        elevationGroups: [
          {
            id: 1,
            maxLiquidationBonusBps: 300,
            ltvPct: 75,
            liquidationThresholdPct: 85,
            debtReserve: reserveAddress(1),
            maxReservesAsCollateral: 8,
          },
        ],
      },
    },
    {},
  ],
  [
    'farms on both sides, and a referrer',
    {
      ...UNHEALTHY,
      reserves: [
        { config: SEIZABLE, farmCollateral: true },
        { config: SEIZABLE, farmDebt: true },
      ],
      referred: true,
    },
    {},
  ],
  [
    'several positions and an exchange rate',
    {
      ...UNHEALTHY,
      reserves: [
        { config: SEIZABLE, collateral: 913_131_313_131n },
        { config: { ...SEIZABLE, borrowFactorPct: 130n } },
        { config: SEIZABLE },
      ],
      deposits: [
        [0, 700_000_007n],
        [2, 300_000_003n],
      ],
      borrows: [
        [1, 700_000_001n],
        [2, 100_000_009n],
      ],
    },
    {},
  ],
];

describe('the preview of a liquidation is its outcome', () => {
  it.each(CASES)('%s', (_name, setting, asked) => {
    const bench = unhealthy(setting);
    const built = build(bench, asked);
    const { preview, outcome, accounts } = built;
    const figures = preview.liquidation ?? expect.fail('it is refused');
    expect(errorsOf(built)).toEqual([]);
    const [paid, taken] = [asked.repay ?? 1, asked.withdraw ?? 0];
    const [debt, seized] = [bench.reserve(paid), bench.reserve(taken)];
    const [source, destination] = [tokenOf(debt.liquidity.mintPubkey), tokenOf(seized.liquidity.mintPubkey)];
    const feesBefore = bench.balance(seized.liquidity.feeVault);

    expect(bench.failureOf(built.action.instructions)).toBeNull();
    const isSame = source === destination;
    const received = figures.received.amount;
    expect(BALANCE - bench.balance(source)).toBe(figures.repaid.amount - (isSame ? received : 0n));
    if (!isSame) expect(bench.balance(destination) - BALANCE).toBe(received);
    expect(bench.balance(tokenOf(seized.collateral.mintPubkey))).toBe(figures.collateralTokens?.amount ?? 0n);
    expect(bench.balance(seized.liquidity.feeVault) - feesBefore).toBe(figures.protocolFee.amount);

    for (const index of [paid, taken]) {
      const promised = outcome.effect?.reserves.get(reserveAddress(index)) ?? expect.fail('no reserve');
      const found = bench.reserve(index);
      expect(found.liquidity.totalAvailableAmount).toBe(promised.liquidity.totalAvailableAmount);
      expect(found.liquidity.borrowedAmountSf).toBe(promised.liquidity.borrowedAmountSf);
      expect(found.collateral.mintTotalSupply).toBe(promised.collateral.mintTotalSupply);
    }
    const { deposits, borrows } = bench.obligation();
    const position = refreshedObligation(
      outcome.after.obligation,
      accounts.repay.market,
      outcome.after.reserves,
    );
    expect(position?.deposits.map(({ collateral }) => collateral)).toEqual(
      deposits.map(({ depositedAmount }) => depositedAmount).filter((amount) => amount > 0n),
    );
    expect(position?.debts.map(({ amountSf }) => amountSf)).toEqual(
      borrows.map(({ borrowedAmountSf }) => borrowedAmountSf).filter((amount) => amount > 0n),
    );
  });

  it('gives bonus, fee and profit', () => {
    const { preview } = build(unhealthy());
    const { liquidation, healthFactor } = preview;
    expect(liquidation).toMatchObject({
      repaid: { amount: 180_000_000n },
      received: { amount: 184_499_999n },
      protocolFee: { amount: 4_500_000n },
      collateralTokens: null,
    });
    expect(toDecimalString(liquidation?.profitUsd ?? expect.fail())).toBe('4.499999');
    expect(liquidation?.collateral.before && toDecimalString(liquidation.collateral.before)).toBe('1000');
    expect(liquidation?.collateral.after && toDecimalString(liquidation.collateral.after)).toBe('811.000001');
    // 850 / 900, then 85 % of 811.000001 over 720.
    expect(healthFactor?.before && toDecimalString(healthFactor.before)).toMatch(/^0\.9444/);
    expect(healthFactor?.after && toDecimalString(healthFactor.after)).toMatch(/^0\.9574/);
  });

  it('wraps SOL to repay it, and unwraps what is left', () => {
    const setting: LendingSetting = {
      ...UNHEALTHY,
      reserves: [
        { config: SEIZABLE },
        { sol: true, config: SEIZABLE, priceUsd: 100n, available: 10n ** 14n },
      ],
      // 9 SOL at 100 USD.
      borrows: [[1, 9_000_000_000n]],
    };
    const bench = unhealthy(setting);
    const before = bench.account(LIQUIDATOR).lamports;
    const { action, preview } = build(bench);
    expect(preview.liquidation?.repaid).toMatchObject({ amount: 1_800_000_000n, mint: WRAPPED_SOL_MINT });
    expect(bench.failureOf(action.instructions)).toBeNull();
    // Only the rent of the account for collateral tokens is gone besides.
    expect(before - bench.account(LIQUIDATOR).lamports).toBe(1_800_000_000n + 2_039_280n);
  });
});

describe('what the program refuses', () => {
  const failure = (bench: LendingBench, asked: Asked = {}) => {
    const built = build(bench, asked);
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
    const { action, warnings, preview } = build(bench);
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
      const { action, warnings } = build(bench);
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
    expect(() => build(unhealthy(), { repay: 2 })).toThrow(/no debt/);
    expect(() => build(unhealthy(), { withdraw: 2 })).toThrow(/no deposit/);
  });
});
