import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import { refreshObligation, requestElevationGroup } from '@sluice/protocol/klend/setup-instructions';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  type LendingSetting,
  MARKET,
  NOW,
  REFERRER,
  type ReserveSetting,
  reserveAddress,
  WALLET,
} from '../support/builders/lending-accounts.ts';
import { type GROUP, groupMember, OUTSIDE_GROUPS } from '../support/lending/group-loan.ts';
import { type LendingBench, lendingBench } from '../support/localnet/lending-bench.ts';

const { klend } = MAINNET_PROGRAMS;

interface Change {
  readonly setting?: LendingSetting;
  readonly group?: Partial<typeof GROUP>;
  readonly reserves?: readonly ReserveSetting[];
}

function outside({ setting, group, reserves }: Change = {}): LendingBench {
  const bench = lendingBench(
    { ...OUTSIDE_GROUPS, ...(reserves === undefined ? {} : { reserves }), ...setting },
    'borrow',
    2,
  );
  if (group !== undefined) bench.change(lendingMarket, MARKET, { elevationGroups: [group] });
  return bench;
}

const positions = (bench: LendingBench): Address[] => {
  const { deposits, borrows } = bench.obligation();
  const all = [...deposits.map((each) => each.depositReserve), ...borrows.map((each) => each.borrowReserve)];
  return all.filter((address) => address !== NO_ADDRESS);
};

const metas = (addresses: readonly Address[]) =>
  addresses.map((address) => ({ address, role: AccountRole.WRITABLE }));

function refresh(bench: LendingBench) {
  const accounts = { lendingMarket: MARKET, obligation: bench.obligationAddress };
  return refreshObligation.encode(klend, accounts, {}, metas(positions(bench)));
}

function request(bench: LendingBench, elevationGroup: number, remaining = positions(bench), owner = WALLET) {
  const accounts = { owner, obligation: bench.obligationAddress, lendingMarket: MARKET };
  return requestElevationGroup.encode(klend, accounts, { elevationGroup }, metas(remaining));
}

const enter = (bench: LendingBench, group = 1) => bench.failureOf([refresh(bench), request(bench, group)]);

const counters = (bench: LendingBench) => ({
  against: [0, 1].map((i) => bench.reserve(i).borrowedAmountsAgainstThisReserveInElevationGroups[0]),
  outside: bench.reserve(2).borrowedAmountOutsideElevationGroup,
});

describe('requestElevationGroup', () => {
  it('moves the debt between the counters of the reserves, in and out', () => {
    const bench = outside();
    expect(bench.failureOf([refresh(bench)])).toBeNull();
    expect(counters(bench)).toEqual({ against: [0n, 0n], outside: 500_000_000n });
    expect(enter(bench)).toBeNull();
    expect(counters(bench)).toEqual({ against: [500_000_000n, 500_000_000n], outside: 0n });
    const entered = bench.obligation();
    expect(entered.elevationGroup).toBe(1);
    expect(entered.lastUpdate.stale).toBe(1);
    expect(enter(bench, 0)).toBeNull();
    expect(counters(bench)).toEqual({ against: [0n, 0n], outside: 500_000_000n });
    expect(bench.obligation().elevationGroup).toBe(0);
  });

  it('changes limits and borrow factor at the next refresh', () => {
    const bench = outside();
    const limits = () => {
      expect(bench.failureOf([refresh(bench)])).toBeNull();
      const { allowedBorrowValueSf, unhealthyBorrowValueSf, borrowFactorAdjustedDebtValueSf } =
        bench.obligation();
      const usd = (sf: bigint) => Number((sf + FRACTION_ONE / 2n) / FRACTION_ONE);
      return [allowedBorrowValueSf, unhealthyBorrowValueSf, borrowFactorAdjustedDebtValueSf].map(usd);
    };
    expect(limits()).toEqual([750, 850, 625]);
    expect(enter(bench)).toBeNull();
    expect(limits()).toEqual([900, 930, 500]);
  });

  it('6017: the obligation is not refreshed', () => {
    const bench = outside();
    bench.change(obligation, bench.obligationAddress, { lastUpdate: { stale: 1 } });
    expect(bench.failureOf([request(bench, 1)])).toBe(6017);
  });

  it('6083: the group is already active', () => {
    const bench = outside();
    expect(enter(bench, 0)).toBe(6083);
  });

  it('6069: no such group', () => {
    const bench = outside();
    expect(enter(bench, 33)).toBe(6069);
    expect(enter(bench, 2)).toBe(6069);
  });

  it.each([
    [6072, 'takes no new loans', { allowNewLoans: 0 }],
    [6102, 'has no debt reserve', { debtReserve: NO_ADDRESS }],
    [6103, 'allows no collateral', { maxReservesAsCollateral: 0 }],
    [6106, 'allows fewer collateral reserves', { maxReservesAsCollateral: 1 }],
    [6104, 'has another debt reserve', { debtReserve: reserveAddress(1) }],
    [6071, 'allows less debt', { ltvPct: 40 }],
  ])('%i: the group %s', (code, _, group) => {
    expect(enter(outside({ group }))).toBe(code);
  });

  it('6068: a reserve of the position is not in the group', () => {
    const stranger = groupMember({ elevationGroups: Uint8Array.of(2) });
    expect(enter(outside({ reserves: [groupMember(), groupMember(), stranger] }))).toBe(6068);
    expect(enter(outside({ reserves: [groupMember(), stranger, groupMember()] }))).toBe(6068);
  });

  it('6105: the debt reserve of the group is collateral', () => {
    const setting = { ...OUTSIDE_GROUPS, deposits: [[2, 10n ** 9n]] as const, borrows: [] };
    expect(enter(outside({ setting }))).toBe(6105);
  });

  it('6101: a collateral reserve counts too much debt in the group', () => {
    const limited = (limit: bigint) =>
      outside({
        reserves: [
          groupMember({ borrowLimitAgainstThisCollateralInElevationGroup: [limit] }),
          groupMember(),
          groupMember(),
        ],
      });
    expect(enter(limited(499_999_999n))).toBe(6101);
    expect(enter(limited(500_000_000n))).toBeNull();
  });

  it('6101: leaving would exceed the limit outside groups', () => {
    const bench = outside();
    expect(enter(bench)).toBeNull();
    bench.change(reserve, reserveAddress(2), {
      config: { borrowLimitOutsideElevationGroup: 499_999_999n },
    });
    expect(enter(bench, 0)).toBe(6101);
  });

  it('6071: leaving would leave too much debt', () => {
    const bench = outside({ setting: { ...OUTSIDE_GROUPS, borrows: [[2, 700_000_000n]] } });
    expect(enter(bench)).toBeNull();
    expect(enter(bench, 0)).toBe(6071);
  });

  it('6091: leaving with debt against collateral that counts in groups only', () => {
    const groupOnly = groupMember({ disableUsageAsCollOutsideEmode: 1 });
    const bench = outside({ reserves: [groupOnly, groupMember(), groupMember()] });
    expect(enter(bench)).toBeNull();
    expect(enter(bench, 0)).toBe(6091);
  });

  it('6093: an obligation marked for deleveraging would have a worse loan-to-value', () => {
    const bench = outside();
    expect(enter(bench)).toBeNull();
    bench.change(obligation, bench.obligationAddress, {
      autodeleverageMarginCallStartedTimestamp: NOW.timestamp,
    });
    expect(enter(bench, 0)).toBe(6093);
  });

  it('6020, 6022: no deposits, or worthless ones', () => {
    expect(enter(outside({ setting: { ...OUTSIDE_GROUPS, deposits: [], borrows: [] } }))).toBe(6020);
    const bench = outside({ setting: { ...OUTSIDE_GROUPS, borrows: [] } });
    for (const i of [0, 1]) bench.change(reserve, reserveAddress(i), { liquidity: { marketPriceSf: 0n } });
    expect(enter(bench)).toBe(6022);
  });

  it('6042: the market is in emergency mode', () => {
    const bench = outside();
    expect(bench.failureOf([refresh(bench)])).toBeNull();
    bench.change(lendingMarket, MARKET, { emergencyMode: 1 });
    expect(bench.failureOf([refresh(bench)])).toBe(6042);
    expect(bench.failureOf([request(bench, 1)])).toBe(6042);
  });

  it('6006: a reserve is missing', () => {
    const bench = outside();
    const remaining = positions(bench).slice(1);
    expect(bench.failureOf([refresh(bench), request(bench, 1, remaining)])).toBe(6006);
  });

  it('2001, 3010: only the owner can ask', () => {
    const bench = outside();
    expect(bench.failureOf([refresh(bench), request(bench, 1, positions(bench), REFERRER)])).toBe(2001);
    const asked = request(bench, 1);
    const accounts = asked.accounts.map((each, i) =>
      i === 0 ? { ...each, role: AccountRole.READONLY } : each,
    );
    expect(bench.failureOf([refresh(bench), { ...asked, accounts }])).toBe(3010);
  });
});
