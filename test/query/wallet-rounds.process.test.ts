import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type * as farmAddresses from '@sluice/protocol/farms/addresses';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ContractWorld, startContractWorld } from '../support/contract/contract-app.ts';

/** Events in order: a call that was made, or a stake whose address was worked out. */
const events = vi.hoisted((): ('call' | 'stake')[] => []);

vi.mock('@sluice/protocol/farms/addresses', async (original) => {
  const whole = await original<typeof farmAddresses>();
  return {
    ...whole,
    farmUserState: (...seeds: Parameters<typeof whole.farmUserState>) => {
      events.push('stake');
      return whole.farmUserState(...seeds);
    },
  };
});

let world: ContractWorld;
beforeAll(async () => {
  world = await startContractWorld();
});
beforeEach(() => world.proxy.reset());
afterAll(() => world?.stop());

const POSITIONS =
  'vaultPositions { nodes { totalShares vault { address } } } obligations { nodes { address } }';
const SCANS = ['getProgramAccounts', 'getTokenAccountsByOwner', 'getTokenAccountsByOwner'];

async function ask(fields: string): Promise<unknown> {
  const query = `query ($wallet: Address!) { wallet(address: $wallet) { ${fields} } }`;
  const { body } = await world.post('/graphql', {
    query,
    variables: { wallet: world.localChain.addresses.wallet },
  });
  expect(body).not.toHaveProperty('errors');
  return (body as { data: { wallet: unknown } }).data.wallet;
}

describe('a wallet', () => {
  it.each([
    ['a portfolio', POSITIONS, SCANS],
    ['a portfolio with balances', `balances { amount } ${POSITIONS}`, SCANS],
    [
      'a portfolio with queued withdrawals',
      `netValue { usd } withdrawTickets { totalCount } ${POSITIONS}`,
      [...SCANS, 'getProgramAccounts'],
    ],
    ['rewards', `claimableRewards { amount } ${POSITIONS}`, [...SCANS, 'getProgramAccounts']],
    ['stakes', `stakes { position rewards { index } } ${POSITIONS}`, [...SCANS, 'getProgramAccounts']],
  ])(
    'requests all of %s before any response arrives, with the stakes in one page',
    async (_, fields, scans) => {
      const letGo = world.proxy.hold(() => true);
      const answer = ask(fields);
      try {
        await vi.waitFor(() => expect(world.proxy.held()).toBe(scans.length + 1), { timeout: 120_000 });
      } finally {
        letGo();
      }
      expect(world.proxy.count('getMultipleAccounts')).toBe(1);
      for (const method of scans)
        expect(world.proxy.count(method)).toBe(scans.filter((each) => each === method).length);
      expect(await answer).toMatchObject({ vaultPositions: { nodes: { length: expect.any(Number) } } });
    },
  );

  it('sends its searches before it derives the addresses of stakes', async () => {
    const { host } = new URL(world.proxy.url);
    const note = (message: unknown) => {
      const { request } = message as { readonly request: ClientRequest };
      if (request.getHeader('host') === host) events.push('call');
    };
    subscribe('http.client.request.start', note);
    events.length = 0;
    await ask(POSITIONS);
    unsubscribe('http.client.request.start', note);
    expect(events.filter((event) => event === 'stake').length).toBeGreaterThan(1);
    expect(events.slice(0, SCANS.length + 1)).toEqual([...SCANS.map(() => 'call'), 'stake']);
    expect(events.at(-1)).toBe('call');
  });
});
