import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { NO_ADDRESS, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  accountIn,
  type TestChain,
  withFields,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { answerFaults } from '../support/contract/answer-checks.ts';
import { type ChangingRecordedWorld, startChangingRecordedWorld } from '../support/contract/recorded-app.ts';
import { OPERATION_ROWS } from '../support/operations/all.ts';
import { NullRule } from '../support/operations/null-rule.ts';
import { COMPARED_ROWS, expectRowParity, graphAt } from '../support/operations/parity.ts';

/** SOL, in which everything is valued a second time, and USDC, in which campaigns pay, have no price. */
function withoutPrices(localChain: TestChain): void {
  for (const { address, token } of localChain.worldChain.world.reserves) {
    if (token.mint.address !== WRAPPED_SOL_MINT && token.symbol !== 'USDC') continue;
    // Neither a stored price nor an oracle to read one from.
    const config = { tokenInfo: { scopeConfiguration: { priceFeed: NO_ADDRESS } } };
    const unpriced = { liquidity: { marketPriceSf: 0n }, config };
    localChain.place(address, withFields(reserveLayout, accountIn(localChain, address), unpriced));
  }
}

let world: ChangingRecordedWorld;
beforeAll(async () => {
  world = await startChangingRecordedWorld(withoutPrices);
});
afterAll(() => world?.stop());

/** Reads that need no price. */
const NEEDS_NONE = [
  '/tokens-api/tokens',
  '/kvaults/vaults',
  '/kvaults/vaults/{pubkey}',
  '/kvaults/users/{pubkey}/positions',
  '/kvaults/users/{userPubkey}/positions/{vaultPubkey}',
  '/kvaults/mints/{pubkey}/metadata',
  '/v2/svc-market',
  '/v2/svc-market/{pubkey}',
  '/svc-market/reserves/account-data',
  // A scan adds up the positions that can be valued.
  '/svc-market/{pubkey}/leverage/metrics',
  '/slots/duration',
  '/epochs',
  '/luts/find-minimal',
  '/luts/managed',
  // Tokens without a price are left out by both APIs, and so are days of interest.
  '/oracles/prices',
  '/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/interest-fees',
  '/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/interest-paid',
  // Prices and values of these rows are optional in REST.
  '/portfolio/{wallet}',
  '/portfolio/{wallet}/rewards',
  '/v2/svc-market/users/{userPubkey}/transactions',
  '/v2/svc-market/{marketPubkey}/users/{userPubkey}/transactions',
  '/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/transactions',
  // Yields follow from stake rates and interest.
  '/v2/staking-yields',
  '/v2/staking-yields/median',
  '/v2/staking-yields/mean',
  '/yields/{source}/history',
  '/svc-market/{marketPubkey}/reserves/{reservePubkey}/borrow-and-staking-apys/history',
  '/svc-market/{marketPubkey}/reserves/{reservePubkey}/borrow-and-staking-apys/history/median',
];

describe('without a price', () => {
  it.each(COMPARED_ROWS)(
    '$path says "0" where the graph says null, and differs in nothing else',
    async (row) => {
      const rule = new NullRule();
      await expectRowParity(world, row, world.subjects, rule);
      expect(rule.applied > 0).toBe(!NEEDS_NONE.includes(row.path));
    },
  );

  it.each(OPERATION_ROWS.filter(({ method }) => method === 'get'))('$path keeps its shape', async (row) => {
    const faults: Record<string, string[]> = {};
    for (const each of row.requests(world.subjects)) {
      const wrong = answerFaults({ ...row, ...each }, await world.ask(each));
      if (wrong.length > 0) faults[each.url] = wrong;
    }
    expect(faults).toEqual({});
  });
});

describe('a requested View', () => {
  it('answers on both APIs as before, while newer Views differ', async () => {
    const { vault } = world.subjects.addresses;
    const url = `/kvaults/vaults/${vault}/metrics`;
    const first = await world.get(url);
    const view = first.headers.get('x-view') ?? '';
    world.localChain.advance(200);
    const newest = await world.get(url, { 'x-min-slot': String(world.localChain.slot) });
    const again = await world.get(url, { 'x-view': view });
    expect(newest.headers.get('x-view')).not.toBe(view);
    expect(newest.body).not.toEqual(first.body);
    expect(again.headers.get('x-view')).toBe(view);
    expect(again.body).toEqual(first.body);
    const { vault: twin } = await graphAt(world, view)<{ vault: { sharePriceUsd: string | null } }>(
      'query ($vault: Address!) { vault(address: $vault) { sharePriceUsd } }',
      { vault },
    );
    expect((again.body as { sharePrice: string }).sharePrice).toBe(twin.sharePriceUsd ?? '0');
  });
});
