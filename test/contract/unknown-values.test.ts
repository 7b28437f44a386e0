import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { NO_ADDRESS, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  accountIn,
  type TestChain,
  withFields,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { type ChangingContractWorld, startChangingContractWorld } from '../support/contract/contract-app.ts';
import { type SocketSite, serveOnSocket } from '../support/http/socket-site.ts';

/** SOL has no price; the tokens of vaults and reserves have one. */
function withoutSolPrice(localChain: TestChain): void {
  for (const { address, token } of localChain.worldChain.world.reserves) {
    if (token.mint.address !== WRAPPED_SOL_MINT) continue;
    // Neither a stored price nor an oracle to read one from.
    const config = { tokenInfo: { scopeConfiguration: { priceFeed: NO_ADDRESS } } };
    const unpriced = { liquidity: { marketPriceSf: 0n }, config };
    localChain.place(address, withFields(reserveLayout, accountIn(localChain, address), unpriced));
  }
}

let world: ChangingContractWorld;
let site: SocketSite;
beforeAll(async () => {
  world = await startChangingContractWorld({}, withoutSolPrice);
  site = await serveOnSocket(world.gateway.app);
});
afterAll(async () => {
  await site?.close();
  await world?.stop();
});

/** Without recorded history nobody has counted the holders. */
const UNKNOWN_METRICS = [
  ...['apy180d', 'apy24h', 'apy30d', 'apy365d', 'apy7d', 'apy90d'],
  ...['cumulativeInterestEarnedSol', 'cumulativeManagementFeesSol', 'cumulativePerformanceFeesSol'],
  ...['interestEarnedPerSecondSol', 'numberOfHolders', 'solPrice'],
].join(', ');

describe('X-Unknown', () => {
  it('names the fields whose zero stands for an unknown value, first and from the cache', async () => {
    const url = `/kvaults/vaults/${world.subjects.addresses.vault}/metrics`;
    for (const cached of [false, true]) {
      const answer = await site.get(url);
      expect([answer.cached, answer.headers['x-unknown']]).toEqual([cached, UNKNOWN_METRICS]);
      const body = JSON.parse(answer.text) as Readonly<Record<string, unknown>>;
      expect(UNKNOWN_METRICS.split(', ').map((name) => String(body[name]))).toEqual(Array(12).fill('0'));
      expect(Number(body.sharePrice)).toBeGreaterThan(0);
    }
    const unchanged = await site.get(url, { 'if-none-match': '*' });
    expect([unchanged.status, unchanged.headers['x-unknown']]).toEqual([304, UNKNOWN_METRICS]);
    expect((await site.get(url, {}, 'HEAD')).headers['x-unknown']).toBe(UNKNOWN_METRICS);
  });

  it('names fields of lists, and nested ones by their path', async () => {
    const { market, wallet } = world.subjects.addresses;
    const reserves = await world.get(`/svc-market/${market}/reserves/metrics`);
    expect(reserves.headers.get('x-unknown')).toBe('totalBorrowUsd, totalSupplyUsd');
    const summary = await world.get('/kvaults/summary');
    expect(summary.headers.get('x-unknown')?.split(', ')).toContain('earnings.total.sol');
    const obligations = await world.get(`/svc-market/${market}/users/${wallet}/obligations`);
    expect(obligations.status).toBe(200);
  });

  it('is absent where every value is known', async () => {
    for (const url of [
      '/kvaults/vaults',
      '/v2/svc-market',
      '/tokens-api/tokens',
      '/kvaults/vaults/nonsense',
    ]) {
      expect([url, (await world.get(url)).headers.get('x-unknown')]).toEqual([url, null]);
    }
  });

  it('can be read by pages of other origins', async () => {
    const { headers } = await site.get('/kvaults/vaults', { origin: 'https://app.example' });
    expect(String(headers['access-control-expose-headers']).split(', ')).toContain('X-Unknown');
  });
});
