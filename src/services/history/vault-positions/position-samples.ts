import { integer } from '@sluice/protocol/numeric/rational';
import type { View } from '../../../chain/view/view.ts';
import { apyBreakdown } from '../../../domain/apy.ts';
import type { VaultSample } from '../../../domain/pnl/position-series.ts';
import type { Selected } from '../../../store/history/series.ts';
import type { VaultPoint } from '../../../store/history/vault-series.ts';
import type { VaultRecord } from '../../request/records.ts';
import { vaultInterest } from '../../vaults/vaults.ts';
import { currentYield, theoreticalBaseApy } from '../../vaults/yields.ts';
import { YIELD_FIELDS } from '../vault-history.ts';
import { secondsOf } from './vault-markets.ts';

/** Fields of a vault's point that a position's sample needs. */
export const SAMPLE_FIELDS = [
  ...YIELD_FIELDS,
  'apyTheoretical',
  'sampledAt',
  'sharesIssued',
  'interestPerSecond',
] as const satisfies readonly (keyof VaultPoint)[];
type SamplePoint = Selected<VaultPoint, (typeof SAMPLE_FIELDS)[number]>;

/** The sample of a vault in a bucket, as of its last sample. */
export function sampleOf({ value }: VaultRecord, point: SamplePoint): VaultSample {
  const { sharesIssued, interestPerSecond } = point;
  return {
    time: secondsOf(point.sampledAt),
    apy: apyBreakdown(point.apyActual, {
      farmRewards: point.apyFarmRewards,
      reserveRewards: point.apyReservesIncentives,
      incentives: point.apyIncentives,
    }),
    theoreticalApy: point.apyTheoretical,
    // Imported history lacks the number of shares, so the interest cannot be split among them.
    interestPerSecond: sharesIssued === null ? null : interestPerSecond,
    sharesIssued: sharesIssued?.mul(integer(10n ** value.sharesMintDecimals)).floor() ?? 0n,
  };
}

/** The current sample from the View; empty when a reserve of the vault could not be read. */
export function liveSample(view: View, vault: VaultRecord): VaultSample[] {
  const apy = currentYield(view, vault);
  if (apy === null) return [];
  return [
    {
      time: Number(view.moment.timestamp),
      apy,
      theoreticalApy: theoreticalBaseApy(view, vault),
      interestPerSecond: vaultInterest(view, vault).perSecond?.amount ?? null,
      sharesIssued: vault.value.sharesIssued,
    },
  ];
}
