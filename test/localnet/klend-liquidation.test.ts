import { farmUserState } from '@sluice/protocol/farms/addresses';
import { marketAuthority } from '@sluice/protocol/klend/addresses';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { liquidateV1, liquidateV2 } from '@sluice/protocol/klend/liquidation-instructions';
import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import {
  refreshObligation,
  refreshObligationFarmsForReserve,
} from '@sluice/protocol/klend/setup-instructions';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS, RENT_SYSVAR, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { lendingRefresh } from '../../src/builders/lending/refresh.ts';
import { type LendingSetting, MARKET, reserveAddress } from '../support/builders/lending-accounts.ts';
import { SEIZABLE, UNHEALTHY } from '../support/lending/unhealthy-loan.ts';
import { type LendingBench, lendingBench } from '../support/localnet/lending-bench.ts';
import {
  COLLATERAL,
  DESTINATION,
  fundLiquidator,
  LIQUIDATOR,
  type LiquidationCall,
  liquidationCall,
  SOURCE,
} from '../support/localnet/liquidation-call.ts';

const { klend, farms } = MAINNET_PROGRAMS;

function unhealthy(setting: LendingSetting = UNHEALTHY): LendingBench {
  const bench = lendingBench(setting, 'repay', 1);
  fundLiquidator(bench);
  return bench;
}

interface Call extends LiquidationCall {
  readonly isRefreshed?: boolean;
}

function liquidation(bench: LendingBench, { isRefreshed = true, ...asked }: Call) {
  const { deposits, borrows } = bench.obligation();
  const reserves = [
    ...deposits.map((each) => each.depositReserve),
    ...borrows.map((each) => each.borrowReserve),
  ];
  const known = new Set<Address>([0, 1, 2].map(reserveAddress));
  const refresh = refreshObligation.encode(
    klend,
    { lendingMarket: MARKET, obligation: bench.obligationAddress },
    {},
    reserves.filter((each) => known.has(each)).map((address) => ({ address, role: AccountRole.WRITABLE })),
  );
  const call = liquidationCall(bench, asked);
  return isRefreshed ? [refresh, call] : [call];
}

const attempt = (bench: LendingBench, call: Call = {}) => bench.failureOf(liquidation(bench, call));

describe('liquidateObligationAndRedeemReserveCollateralV2', () => {
  it('repays a fifth of the debt for collateral of its value and five percent', () => {
    const bench = unhealthy();
    expect(attempt(bench)).toBeNull();
    // A fifth and five percent are rounded down to 2^-60, so one collateral token is missing; payments are rounded up.
    expect(10n ** 12n - bench.balance(SOURCE)).toBe(180_000_000n);
    expect(bench.balance(COLLATERAL)).toBe(0n);
    expect(bench.balance(DESTINATION)).toBe(188_999_999n - 4_500_000n);
    const seized = bench.reserve(0);
    expect(bench.balance(seized.liquidity.feeVault)).toBe(4_500_000n);
    expect(bench.balance(seized.collateral.supplyVault)).toBe(1_000_000_000_000n - 188_999_999n);
    expect(seized.collateral.mintTotalSupply).toBe(1_000_000_000_000n - 188_999_999n);
    const { deposits, borrows, lastUpdate } = bench.obligation();
    expect(deposits[0]?.depositedAmount).toBe(811_000_001n);
    const owed = borrows[0]?.borrowedAmountSf ?? 0n;
    expect(owed >= 720_000_000n * FRACTION_ONE && owed < 720_000_001n * FRACTION_ONE).toBe(true);
    expect(lastUpdate.stale).toBe(1);
    expect(bench.reserve(1).liquidity.totalAvailableAmount).toBe(600_180_000_000n);
  });

  it('repays what the liquidator offers, if that is less', () => {
    const bench = unhealthy();
    expect(attempt(bench, { amount: 100_000_000n })).toBeNull();
    expect(10n ** 12n - bench.balance(SOURCE)).toBe(100_000_000n);
    expect(bench.obligation().borrows[0]?.borrowedAmountSf).toBe(800_000_000n * FRACTION_ONE);
  });

  it('repays all debt of a nearly insolvent obligation, and takes all collateral where the debt exceeds it', () => {
    const bench = unhealthy({ ...UNHEALTHY, borrows: [[1, 1_200_000_000n]] });
    expect(attempt(bench)).toBeNull();
    const { deposits, borrows } = bench.obligation();
    expect(deposits[0]?.depositedAmount).toBe(0n);
    // Bad debt has a bonus of 99 basis points: 1000 USD of collateral pay for 1000 / 1.0099 USD.
    expect(10n ** 12n - bench.balance(SOURCE)).toBe(990_197_050n);
    expect((borrows[0]?.borrowedAmountSf ?? 0n) >> 60n).toBe(1_200_000_000n - 990_197_050n);
  });

  it('6016: a healthy obligation, or liquidations are disabled', () => {
    expect(attempt(unhealthy({ ...UNHEALTHY, borrows: [[1, 849_999_999n]] }))).toBe(6016);
    const bench = unhealthy();
    bench.change(lendingMarket, MARKET, { priceTriggeredLiquidationDisabled: 1 });
    expect(attempt(bench)).toBe(6016);
  });

  it('6003: an amount of zero', () => {
    expect(attempt(unhealthy(), { amount: 0n })).toBe(6003);
  });

  it('6009, 6017: stale accounts', () => {
    const bench = unhealthy();
    bench.change(obligation, bench.obligationAddress, { lastUpdate: { stale: 1 } });
    expect(attempt(bench, { isRefreshed: false })).toBe(6017);
    bench.change(reserve, reserveAddress(1), { lastUpdate: { stale: 1 } });
    expect(attempt(bench, { isRefreshed: false })).toBe(6009);
  });

  it('accepts a price that only failed the checks of its average', () => {
    const bench = unhealthy();
    for (const i of [0, 1]) bench.change(reserve, reserveAddress(i), { lastUpdate: { priceStatus: 35 } });
    expect(attempt(bench)).toBeNull();
    for (const i of [0, 1])
      bench.change(reserve, reserveAddress(i), { lastUpdate: { stale: 0, priceStatus: 33 } });
    expect(attempt(bench)).toBe(6009);
  });

  it('6087: collateral that cannot be liquidated', () => {
    const bench = unhealthy();
    bench.change(reserve, reserveAddress(0), { config: { liquidationThresholdPct: 0 } });
    expect(attempt(bench)).toBe(6087);
  });

  it('6024, 6025: positions that the obligation does not have', () => {
    expect(attempt(unhealthy(), { repay: 2 })).toBe(6025);
    expect(attempt(unhealthy(), { withdraw: 2 })).toBe(6024);
  });

  it('6099: another debt has a higher borrow factor', () => {
    const bench = unhealthy({
      ...UNHEALTHY,
      borrows: [
        [1, 500_000_000n],
        [2, 500_000_000n],
      ],
    });
    bench.change(reserve, reserveAddress(2), { config: { borrowFactorPct: 150n } });
    expect(attempt(bench)).toBe(6099);
  });

  it('6100: another deposit has a lower liquidation threshold', () => {
    const bench = unhealthy({
      ...UNHEALTHY,
      deposits: [
        [0, 500_000_000n],
        [2, 500_000_000n],
      ],
    });
    bench.change(reserve, reserveAddress(2), { config: { liquidationThresholdPct: 60 } });
    expect(attempt(bench)).toBe(6100);
  });

  it('6121: a part of a debt that must be liquidated whole', () => {
    const bench = unhealthy();
    bench.change(lendingMarket, MARKET, { minFullLiquidationValueThreshold: 1_000n });
    expect(attempt(bench, { amount: 899_999_999n })).toBe(6121);
    expect(attempt(bench)).toBeNull();
    expect(bench.obligation().hasDebt).toBe(0);
  });

  it('6066: less than the liquidator wants', () => {
    expect(attempt(unhealthy(), { least: 184_500_000n })).toBe(6066);
    expect(attempt(unhealthy(), { least: 184_499_999n })).toBeNull();
  });
});

describe('liquidateObligationAndRedeemReserveCollateral', () => {
  function older(bench: LendingBench): { refreshes: EncodedInstruction[]; call: EncodedInstruction } {
    const [encoded] = liquidation(bench, { isRefreshed: false });
    if (encoded === undefined) throw new RangeError('No liquidation');
    const { accounts, args } = liquidateV2.decode(encoded);
    return { refreshes: lendingRefresh(bench.accounts), call: liquidateV1.encode(klend, accounts, args) };
  }

  function farmRefresh(bench: LendingBench, index: number, farm: Address, mode: number): EncodedInstruction {
    return refreshObligationFarmsForReserve.encode(
      klend,
      {
        crank: LIQUIDATOR,
        obligation: bench.obligationAddress,
        lendingMarketAuthority: marketAuthority(klend, MARKET).address,
        reserve: reserveAddress(index),
        reserveFarmState: farm,
        obligationFarmUserState: farmUserState(farms, farm, bench.obligationAddress).address,
        lendingMarket: MARKET,
        farmsProgram: farms,
        rent: RENT_SYSVAR,
        systemProgram: SYSTEM_PROGRAM,
      },
      { mode },
    );
  }

  it('does the same after refreshes of the seized reserve, the repaid one and the obligation', () => {
    const [bench, newer] = [unhealthy(), unhealthy()];
    const { refreshes, call } = older(bench);
    expect(bench.failureOf([...refreshes, call])).toBeNull();
    expect(newer.failureOf([...refreshes, ...liquidation(newer, { isRefreshed: false })])).toBeNull();
    for (const account of [SOURCE, COLLATERAL, DESTINATION]) {
      expect(bench.balance(account)).toBe(newer.balance(account));
    }
    expect(bench.obligation().deposits[0]?.depositedAmount).toBe(811_000_001n);
  });

  it('6051, 2502: a refresh is missing, or those of the reserves are swapped', () => {
    const bench = unhealthy();
    const { refreshes, call } = older(bench);
    const [seized, repaid, position] = refreshes;
    if (!seized || !repaid || !position) throw new RangeError('Too few refreshes');
    expect(bench.failureOf([call])).toBe(6051);
    expect(bench.failureOf([repaid, position, call])).toBe(6051);
    expect(bench.failureOf([repaid, seized, position, call])).toBe(2502);
  });

  it('wants the refreshes of both farms before and after, the collateral farm first', () => {
    const [withCollateral, withDebt] = [
      { config: SEIZABLE, farmCollateral: true },
      { config: SEIZABLE, farmDebt: true },
    ];
    const bench = unhealthy({ ...UNHEALTHY, reserves: [withCollateral, withDebt] });
    const { refreshes, call } = older(bench);
    const collateral = farmRefresh(bench, 0, bench.reserve(0).farmCollateral, 0);
    const debt = farmRefresh(bench, 1, bench.reserve(1).farmDebt, 1);
    expect(bench.failureOf([...refreshes, call])).toBe(6051);
    expect(bench.failureOf([...refreshes, collateral, debt, call, collateral])).toBe(6051);
    expect(bench.failureOf([...refreshes, debt, collateral, call, collateral, debt])).toBe(2502);
    expect(bench.failureOf([...refreshes, collateral, debt, call, collateral, debt])).toBeNull();
  });
});
