import { describe, expect, it } from 'vitest';
import { dailyLoad, dailyLoadOfWholeAccounts, resized } from '../../src/cli/doctor/daily-load.ts';
import { sizeText } from '../../src/cli/doctor/report.ts';

const UPKEEP = {
  discovery: { calls: 4, bytes: 1_000 },
  reserves: { calls: 1, bytes: 10_000 },
  vaults: { calls: 2, bytes: 30_000 },
  whole: { calls: 5, bytes: 500_000 },
  wholeReserves: { calls: 1, bytes: 80_000 },
};
const SETTINGS = { VIEW_REFRESH_MS: 2_000, VAULT_REFRESH_MS: 20_000, DISCOVERY_INTERVAL_MS: 60_000 };

describe('the cost of a day', () => {
  it('is all refreshes, some with the vaults, some whole, plus the discoveries', () => {
    // 43,200 refreshes, 4,320 of them with the vaults, 540 of those whole, and 1,440 discoveries.
    expect(dailyLoad(UPKEEP, SETTINGS, false)).toEqual({
      calls: 38_880 + 3_780 * 2 + 540 * 5 + 1_440 * 4,
      bytes: 38_880 * 10_000 + 3_780 * 30_000 + 540 * 500_000 + 1_440 * 1_000,
    });
  });

  it('has no refreshes with the vaults when changes are announced', () => {
    expect(dailyLoad(UPKEEP, SETTINGS, true).calls).toBe(42_660 + 540 * 5 + 1_440 * 4);
  });

  it('without slices reads everything whole, more often when nothing is announced', () => {
    const others = 1_440 * 1_000;
    expect(dailyLoadOfWholeAccounts(UPKEEP, SETTINGS, false).bytes).toBe(
      38_880 * 80_000 + 4_320 * 500_000 + others,
    );
    expect(dailyLoadOfWholeAccounts(UPKEEP, SETTINGS, true).bytes).toBe(
      42_660 * 80_000 + 540 * 500_000 + others,
    );
  });

  it('grows with the reserves by what is read for them, and with the vaults by the rest', () => {
    const larger = resized(UPKEEP, { reserves: 10, vaults: 10 }, { reserves: 20, vaults: 30 });
    expect(larger.reserves.bytes).toBe(20_000);
    expect(larger.vaults.bytes).toBe(2 * 10_000 + 3 * 20_000);
    expect(larger.whole.bytes).toBe(2 * 80_000 + 3 * 420_000);
  });

  it('is counted in whole ticks, so no interval is shorter than a tick', () => {
    const between = { ...SETTINGS, VAULT_REFRESH_MS: 15_000, DISCOVERY_INTERVAL_MS: 500 };
    const [vaults, wholes] = [86_400_000 / 14_000, 86_400_000 / 120_000];
    expect(dailyLoad(UPKEEP, between, false).calls).toBe(
      Math.round(43_200 - vaults + (vaults - wholes) * 2 + wholes * 5 + 43_200 * 4),
    );
  });

  it('is printed in a readable unit', () => {
    expect([0, 999, 1_000, 844_123, 4_100_000, 53_900_000_000].map(sizeText)).toEqual([
      '0 bytes',
      '999 bytes',
      '1.0 kB',
      '844 kB',
      '4.1 MB',
      '53.9 GB',
    ]);
  });
});
