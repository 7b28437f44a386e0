import { readText } from '@sluice/protocol/layout/codec';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { UnchangedChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { type ChainApp, testApp } from '../support/apps/chain-app.ts';

/** Without a catalogue, tokens are named after their reserves, and some of those are labelled after their terms. */
let gateway: ChainApp<UnchangedChain>;
beforeAll(async () => {
  gateway = await testApp();
});
afterAll(() => gateway?.stop());

const DEPOSIT = `mutation ($input: LendingActionInput!) { buildLendingDeposit(input: $input) {
  __typename ... on TransactionPlan { steps { summary } } } }`;

it('a build names a token as reads do, whatever the label of the reserve', async () => {
  const { termMarket: market, termWallet: wallet } = gateway.localChain.addresses;
  const view = gateway.app.chain.views.newest;
  const labels = [...(view?.all('reserve').values() ?? [])]
    .filter(({ value }) => value.lendingMarket === market)
    .map(({ address, value }) => ({ address, label: readText(value.config.tokenInfo.name) }));
  const symbols: string[] = [];
  for (const { address, label } of labels) {
    const read = await gateway.query<{ reserve: { token: { symbol: string } } }>(
      'query ($address: Address!) { reserve(address: $address) { token { symbol } } }',
      { variables: { address } },
    );
    const { symbol } = read.data.reserve.token;
    if (symbol === label) continue;
    symbols.push(symbol);
    const { data } = await gateway.query<{
      buildLendingDeposit: { readonly steps: readonly { readonly summary: string }[] };
    }>(DEPOSIT, { variables: { input: { wallet, market, reserve: address, amount: { tokens: '1' } } } });
    const [{ summary = '' } = {}] = data.buildLendingDeposit.steps;
    expect([symbol, summary.includes(` ${symbol}`), summary.includes(label)]).toEqual([symbol, true, false]);
  }
  expect(symbols.length).toBeGreaterThan(0);
});
