import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../src/store/history/time-buckets.ts';
import { type HarborWorld, startHarborWorld } from '../support/history/harbor.ts';
import { d, vaultSample } from '../support/history/samples.ts';

let world: HarborWorld;
beforeAll(async () => {
  world = await startHarborWorld();
});
afterAll(() => world?.app.stop());

describe('fees of a curator', () => {
  it('are what its vaults charged from record to record', async () => {
    const [one, other] = world.ofHarbor.map(({ address }) => address as Address);
    if (one === undefined || other === undefined) throw new RangeError('Harbor has several vaults');
    const fees = (vault: Address, performance: string | null, management: string, price: string) =>
      vaultSample('v', {
        vault,
        performanceFees: performance === null ? null : d(performance),
        managementFees: performance === null ? null : d(management),
        tokenPriceUsd: d(price),
      });
    const day = 86_400_000;
    await world.write(DAY, [
      { at: world.app.ago(4 * day), vaults: [fees(one, null, '0', '1'), fees(other, '1', '0', '10')] },
      { at: world.app.ago(3 * day), vaults: [fees(one, '100', '5', '1'), fees(other, '1', '0', '10')] },
      { at: world.app.ago(2 * day), vaults: [fees(one, '103', '6', '2'), fees(other, '1.5', '0', '10')] },
    ]);
    await world.app.nextView();
    const document = `query ($address: Address!, $range: TimeRange) { curator(address: $address) {
      feesHistory(range: $range) { interval points { performanceUsd managementUsd usd
        vaults { vault { address } performance management } } } } }`;
    const { curator } = await world.ask<{ curator: { feesHistory: { interval: string; points: object[] } } }>(
      document,
      {
        address: world.ofHarbor[1]?.admin,
        range: { start: new Date(world.app.ago(3 * day).getTime() - day / 2) },
      },
    );
    expect(curator.feesHistory).toEqual({
      interval: 'DAY',
      points: [
        {
          // Nothing was recorded of the first vault before.
          performanceUsd: null,
          managementUsd: null,
          usd: null,
          vaults: [
            { vault: { address: one }, performance: null, management: null },
            { vault: { address: other }, performance: '0', management: '0' },
          ],
        },
        {
          // 3 x 2 + 0.5 x 10, and 1 x 2.
          performanceUsd: '11',
          managementUsd: '2',
          usd: '13',
          vaults: [
            { vault: { address: one }, performance: '3', management: '1' },
            { vault: { address: other }, performance: '0.5', management: '0' },
          ],
        },
      ],
    });
  });
});
