import { expect, it } from 'vitest';
import { createDemoLedger } from '../../src/demo/world/demo-ledger.ts';
import { obligation as obligationLayout } from '../../src/programs/klend/obligation.ts';
import { MAINNET_PROGRAMS } from '../../src/programs/program-ids.ts';
import { accountsOf } from '../demo/world-reading.ts';
import { cpuMsSince } from '../support/timing/cpu-time.ts';

const START = Date.UTC(2026, 5, 15, 13, 20);

it('a world of ten times the scale has the same examples and does the same work per slot', () => {
  let nowMs = START;
  const ledger = createDemoLedger({ scale: 10, now: () => nowMs });
  expect(ledger.addresses).toEqual(createDemoLedger({ now: () => START }).addresses);
  const { markets, reserves, vaults, farms, wallets, obligations } = ledger.world;
  expect(markets.length).toBeGreaterThanOrEqual(40);
  expect(reserves.length).toBeGreaterThanOrEqual(400);
  expect(vaults.length).toBeGreaterThanOrEqual(300);
  expect(farms.length).toBeGreaterThanOrEqual(50);
  expect(wallets.length).toBeGreaterThanOrEqual(2000);
  expect(obligations.length).toBeGreaterThanOrEqual(5000);
  expect(accountsOf(ledger, MAINNET_PROGRAMS.klend, obligationLayout).length).toBe(obligations.length);
  const began = process.cpuUsage();
  for (let i = 0; i < 200; i += 1) {
    nowMs += 400;
    ledger.tick();
  }
  expect(cpuMsSince(began) / 200).toBeLessThan(20);
});
