import { reserve } from '@sluice/protocol/klend/reserve';
import { reserveConfig } from '@sluice/protocol/klend/reserve-config';
import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { MAINNET_PROGRAMS, presentAddress } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import type { View } from '../../src/chain/view/view.ts';
import { sampleReserve } from '../../src/recorder/sample-reserve.ts';
import type { ReserveRecord } from '../../src/services/request/records.ts';
import { recorderWorld } from '../support/recorder/recorder-world.ts';

/** A collateral whose first elevation group lends a token with other decimals. */
function collateralWithOtherDebt(view: View): { collateral: ReserveRecord; index: number } {
  for (const collateral of view.all('reserve').values()) {
    const market = view.get('market', collateral.value.lendingMarket);
    for (const [index, group] of (market?.value.elevationGroups ?? []).entries()) {
      const debt = presentAddress(group.debtReserve);
      const decimals = debt === null ? undefined : view.get('reserve', debt)?.value.liquidity.mintDecimals;
      if (decimals === 6n && collateral.value.liquidity.mintDecimals === 9n) return { collateral, index };
    }
  }
  throw new Error('the world has no group that lends another token than its collateral');
}

/** The same account with another debt and another limit, in base units, in one of its groups. */
function withGroup(record: ReserveRecord, index: number, owed: bigint, limit: bigint): ReserveRecord {
  const data = Uint8Array.from(record.data);
  const { borrowLimitAgainstThisCollateralInElevationGroup: limitsAt } = reserveConfig.offsets;
  const write = (at: number, amount: bigint) =>
    new DataView(data.buffer).setBigUint64(at + index * 8, amount, true);
  write(reserve.offsetOf('borrowedAmountsAgainstThisReserveInElevationGroups'), owed);
  write(reserve.offsetOf('config') + limitsAt, limit);
  return {
    ...record,
    data,
    value: reserve.decode({ ...record, data, owner: MAINNET_PROGRAMS.klend }, MAINNET_PROGRAMS.klend),
  };
}

describe('the sample of a reserve', () => {
  it('has debt in elevation groups in tokens of the debt, not of the collateral', () => {
    const view = recorderWorld(true).viewAt(new Date('2026-01-01T00:00:00Z'));
    const { collateral, index } = collateralWithOtherDebt(view);
    const sample = sampleReserve(view, withGroup(collateral, index, 1_500_000n, 25_000_000n));
    expect(sample.borrowedInGroups.map(toDecimalString)[index]).toBe('1.5');
    expect(sample.config.borrowLimitAgainstCollateralInElevationGroups[index]).toBe('25');
  });
});
