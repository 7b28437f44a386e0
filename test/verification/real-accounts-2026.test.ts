import { reserve } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { viewOf } from '@sluice/protocol/layout/account';
import { addressFromBytes } from '@sluice/protocol/layout/base58';
import { FRACTION_ONE, toScaledFraction, U64_MAX } from '@sluice/protocol/numeric/fraction';
import { integer } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { actualApy } from '../../src/domain/apy.ts';
import { NO_TERMS, storedReserve } from '../../src/domain/interest.ts';
import type { Moment } from '../../src/domain/moment.ts';
import { borrowApr, supplyApr } from '../../src/domain/rates.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import { sharesToTokens, usedAllocations, vaultHoldings } from '../../src/domain/vault.ts';
import { accounts2026, haveAccounts2026 } from '../support/vectors/shared-fixtures.ts';

const ABSENT = haveAccounts2026 ? '' : ' (skipped: the folder with accounts of 2026 is absent)';
const VAULT = '67dqmR76uAbjX6e81A1ganKv3ou31WUMEdeWJkwVfeXy' as Address;
const { klend, kvault } = MAINNET_PROGRAMS;

/** A second decoder: offsets from the start of the account, as they are published for klend 1.25 and kvault 2.3. */
const decoder = (data: Uint8Array) => {
  const view = viewOf(data);
  return {
    u8: (at: number) => view.getUint8(at),
    u16: (at: number) => view.getUint16(at, true),
    u32: (at: number) => view.getUint32(at, true),
    u64: (at: number) => view.getBigUint64(at, true),
    u128: (at: number) => view.getBigUint64(at, true) | (view.getBigUint64(at + 8, true) << 64n),
    key: (at: number) => addressFromBytes(data.subarray(at, at + 32)),
  };
};

describe.skipIf(!haveAccounts2026)(`accounts of August 2026${ABSENT}`, () => {
  const accounts = haveAccounts2026 ? accounts2026() : new Map();
  const raw = (address: Address) => {
    const account = accounts.get(address);
    if (account === undefined) throw new Error(`no file for ${address}`);
    return account;
  };
  const reserves = [...accounts.keys()].filter((address) => address !== VAULT);
  const reserveOf = (address: Address) => reserve.decode(raw(address), klend);
  const vault = () => vaultState.decode(raw(VAULT), kvault);
  /** At the last refresh of a reserve, with slots of 268.5 ms. */
  const momentOf = (address: Address): Moment => ({
    slot: reserveOf(address).lastUpdate.slot,
    timestamp: 1_786_000_000n,
    slotDurationMs: integer(537).div(integer(2)),
  });

  it.each(reserves)('reserve %s decodes as by its offsets', (address) => {
    const { u8, u16, u32, u64, u128, key } = decoder(raw(address).data);
    const account = reserveOf(address);
    const { lastUpdate, lendingMarket, liquidity, collateral, config, withdrawQueue } = account;
    expect(lastUpdate).toMatchObject({
      slot: u64(16),
      stale: u8(24),
      priceStatus: u8(25),
      timestamp: u32(28),
    });
    expect(lendingMarket).toBe(key(32));
    expect(liquidity).toMatchObject({
      mintPubkey: key(128),
      totalAvailableAmount: u64(224),
      borrowedAmountSf: u128(232),
      marketPriceSf: u128(248),
      rewardsAmountAvailable: u64(440),
    });
    expect(collateral.mintTotalSupply).toBe(u64(2592));
    expect(config).toMatchObject({
      status: u8(4856),
      hostFixedInterestRateBps: u16(4858),
      earlyRepayRemainingInterestPct: u8(4863),
      emergencyMode: u8(4864),
      interestRateBasis: u8(4865),
      protocolTakeRatePct: u8(4870),
      loanToValuePct: u8(4872),
      liquidationThresholdPct: u8(4873),
      rewardsAmountPerAccrualUnit: u64(5792),
      permissionedOps: u64(5800),
    });
    expect(account.borrowedAmountOutsideElevationGroup).toBe(u64(6704));
    expect(withdrawQueue).toMatchObject({
      queuedCollateralAmount: u64(6968),
      nextIssuedTicketSequenceNumber: u64(6976),
      nextWithdrawableTicketSequenceNumber: u64(6984),
    });
    expect([config.interestRateBasis, lastUpdate.timestamp]).toEqual([0, 0]);
  });

  it('the vault decodes as by its offsets, with a hole among its allocations', () => {
    const { u64, u128, key } = decoder(raw(VAULT).data);
    const { vaultAllocationStrategy, rewardInfo, depositCap, permissioningAuthority } = vault();
    expect(vaultAllocationStrategy).toHaveLength(25);
    for (const [i, allocation] of vaultAllocationStrategy.entries()) {
      const at = 312 + 2160 * i;
      expect(allocation).toMatchObject({
        reserve: key(at),
        ctokenVault: key(at + 32),
        targetAllocationWeight: u64(at + 64),
        tokenAllocationCap: u64(at + 72),
        ctokenAllocationCap: u64(at + 88),
        ctokenAllocation: u64(at + 1104),
        lastInvestSlot: u64(at + 1112),
        tokenTargetAllocationSf: u128(at + 1120),
      });
    }
    expect(vaultAllocationStrategy[5]?.reserve).toBe(NO_ADDRESS);
    expect(usedAllocations(vault())).toHaveLength(8);
    expect([depositCap, permissioningAuthority]).toEqual([u64(58736), key(58840)]);
    expect(rewardInfo.rewardPerSecond).toBe(u64(58744));
    expect([0n, U64_MAX]).toContain(depositCap);
    expect(permissioningAuthority).toBe(NO_ADDRESS);
  });

  /** Base units of 2^-60 that collateral is worth at the last refresh, from the offsets alone. */
  const worthSf = (address: Address, ctokens: bigint): bigint => {
    const { u64, u128 } = decoder(raw(address).data);
    const supply = (u64(224) << 60n) + u128(232) - u128(344) - u128(360) - u128(376);
    return (ctokens * supply) / u64(2592);
  };

  it('the value of the vault and of a share are those of integer arithmetic', () => {
    const state = vault();
    const holdings = vaultHoldings(state, (address) => storedReserve(reserveOf(address)));
    if (holdings === null) throw new Error('a reserve is missing');
    const { u64, u128 } = decoder(raw(VAULT).data);
    const invested = usedAllocations(state).reduce(
      (sum, each) => sum + worthSf(each.reserve, each.ctokenAllocation),
      0n,
    );
    const [idle, issued, pendingFees] = [state.tokenAvailable, state.sharesIssued, state.pendingFeesSf];
    expect([idle, issued, pendingFees]).toEqual([u64(224), u64(232), u128(296)]);
    const aumSf = (idle << 60n) + invested - pendingFees;
    // Each holding is rounded down to 2^-60 here and exact there.
    const difference = toScaledFraction(holdings.aum) - aumSf;
    expect(difference >= 0n && difference <= 8n).toBe(true);
    const share = sharesToTokens(state, holdings, integer(issued));
    expect(toScaledFraction(share) - aumSf <= 8n).toBe(true);
    expect(aumSf / FRACTION_ONE).toBeGreaterThan(10n ** 12n);
  });

  /** Rates in doubles, straight from the offsets. */
  const rates = (address: Address, scale: number) => {
    const { u8, u16, u32, u64, u128 } = decoder(raw(address).data);
    const debt = Number(u128(232));
    const supply = Number((u64(224) << 60n) + u128(232) - u128(344) - u128(360) - u128(376));
    const used = supply === 0 ? 0 : Math.min(1, debt / supply);
    const points = Array.from({ length: 11 }, (_, i) => [u32(4920 + 8 * i), u32(4924 + 8 * i)] as const);
    const fixed = u64(5784) !== 0n;
    const end = points.findIndex(([bps]) => used * 10_000 <= bps);
    const [from, to] = [points[Math.max(0, end - 1)] ?? [0, 0], points[end] ?? [10_000, 0]];
    const along = to[0] === from[0] ? 1 : (used * 10_000 - from[0]) / (to[0] - from[0]);
    const curve = (fixed ? (points[0]?.[1] ?? 0) : from[1] + along * (to[1] - from[1])) / 10_000;
    return {
      borrow: (curve + u16(4858) / 10_000) * scale,
      supply: (debt / supply) * curve * (1 - u8(4870) / 100) * scale,
    };
  };

  it.each(reserves)('the rates of reserve %s are scaled to real slots, and not by seconds', (address) => {
    const moment = momentOf(address);
    const ours = (account: ReturnType<typeof reserveOf>) => {
      const accrued = storedReserve(account, moment);
      return [borrowApr(accrued, moment).toNumber(), supplyApr(accrued, moment).toNumber()];
    };
    const perSlot = rates(address, 500 / 268.5);
    const [borrow, supply] = ours(reserveOf(address));
    expect(borrow).toBeCloseTo(perSlot.borrow, 12);
    expect(supply).toBeCloseTo(perSlot.supply, 12);

    const data = raw(address).data.slice();
    data[4865] = 1;
    const patched = reserve.decode({ ...raw(address), data }, klend);
    const perSecond = rates(address, 1);
    const [trueBorrow, trueSupply] = ours(patched);
    expect(trueBorrow).toBeCloseTo(perSecond.borrow, 12);
    expect(trueSupply).toBeCloseTo(perSecond.supply, 12);
    // Its last refresh left no time: nothing accrues before the next one.
    const later = { ...moment, timestamp: moment.timestamp + 10_000n, slot: moment.slot + 10_000n };
    expect(toScaledFraction(refreshReserve(patched, later, NO_TERMS).borrowed)).toBe(
      patched.liquidity.borrowedAmountSf,
    );
  });

  it('the yield of the vault is the mean of its reserves by invested amount, after its fees', () => {
    const state = vault();
    const holdings = vaultHoldings(state, (address) => storedReserve(reserveOf(address)));
    if (holdings === null) throw new Error('a reserve is missing');
    let [earned, gross] = [0, Number(state.tokenAvailable)];
    for (const { reserve: address, ctokenAllocation } of usedAllocations(state)) {
      const invested = Number(worthSf(address, ctokenAllocation)) / 2 ** 60;
      earned += invested * rates(address, 500 / 268.5).supply;
      gross += invested;
    }
    const moment = momentOf(usedAllocations(state)[0]?.reserve ?? VAULT);
    const apr =
      (earned / gross) * (1 - Number(state.performanceFeeBps) / 10_000) -
      Number(state.managementFeeBps) / 10_000;
    const apy = Math.expm1(63_072_000 * Math.log1p(apr / 63_072_000));
    expect(actualApy(state, holdings, moment).net.toNumber()).toBeCloseTo(apy, 9);
    expect(apy).toBeGreaterThan(0);
    expect(apy).toBeLessThan(0.3);
  });
});
