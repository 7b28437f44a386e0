import { createWorldChain } from '@sluice/localnet/world/world-chain';
import { obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { expect, it } from 'vitest';
import { cpuMsSince } from '../../packages/localnet/test/support/timing/cpu-time.ts';
import { accountsOf } from '../../packages/localnet/test/world/world-reading.ts';

const START = Date.UTC(2026, 5, 15, 13, 20);

it('a world of ten times the scale has the same examples and does the same work per slot', () => {
  let nowMs = START;
  const localChain = createWorldChain({ scale: 10, now: () => nowMs });
  expect(localChain.addresses).toEqual(createWorldChain({ now: () => START }).addresses);
  const { markets, reserves, vaults, farms, wallets, obligations } = localChain.world;
  expect(markets.length).toBeGreaterThanOrEqual(40);
  expect(reserves.length).toBeGreaterThanOrEqual(400);
  expect(vaults.length).toBeGreaterThanOrEqual(300);
  expect(farms.length).toBeGreaterThanOrEqual(50);
  expect(wallets.length).toBeGreaterThanOrEqual(2000);
  expect(obligations.length).toBeGreaterThanOrEqual(5000);
  expect(accountsOf(localChain, MAINNET_PROGRAMS.klend, obligationLayout).length).toBe(obligations.length);
  const began = process.cpuUsage();
  for (let i = 0; i < 200; i += 1) {
    nowMs += 400;
    localChain.tick();
  }
  expect(cpuMsSince(began) / 200).toBeLessThan(20);
});
