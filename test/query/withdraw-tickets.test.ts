import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { named } from '../../packages/protocol/test/support/transaction-maker.ts';
import { testApp } from '../support/apps/chain-app.ts';
import type { TestApp } from '../support/apps/test-app.ts';
import { DESTINATION, placeQueue, ticketAt } from '../support/lending/placed-queue.ts';

const WALLET = named('wallet with tickets');

let localChain: TestChain;
let gateway: TestApp;
let usdc: Address;

beforeAll(async () => {
  localChain = new TestChain();
  usdc = placeQueue(localChain, {
    available: 3_000n,
    next: 9n,
    issued: 13n,
    tickets: [
      { number: 9n, owner: named('the first'), collateral: 600n },
      { number: 10n, owner: named('the second'), collateral: 100n },
      { number: 11n, owner: WALLET, collateral: 200n },
      { number: 12n, owner: WALLET, collateral: 0n },
      { number: 3n, owner: WALLET, collateral: 40n, invalid: true },
    ],
  });
  gateway = await testApp({ chain: localChain, frozen: true });
});
afterAll(() => gateway?.stop());

interface Ticket {
  readonly sequenceNumber: string;
  readonly state: string;
  readonly amount: { readonly usd: string };
}

const TICKETS = `withdrawTickets(first: 100) { totalCount nodes {
  address sequenceNumber reserveAddress reserve { token { symbol } } state collateral ticketsAhead destination createdAt
  amount { amount baseUnits usd token { symbol } }
} }`;

describe('withdraw tickets of a wallet', () => {
  it('say what waits, for how much, and behind how many others', async () => {
    const { data, errors } = await gateway.query<{
      wallet: { withdrawTickets: { totalCount: number; nodes: readonly Ticket[] } };
    }>(`{ wallet(address: "${WALLET}") { ${TICKETS} } }`);
    expect(errors).toEqual([]);
    const { totalCount, nodes } = data.wallet.withdrawTickets;
    expect(totalCount).toBe(3);
    const bySequence = new Map(nodes.map((ticket) => [ticket.sequenceNumber, ticket]));
    const common = {
      reserveAddress: usdc,
      reserve: { token: { symbol: 'USDC' } },
      destination: DESTINATION,
      createdAt: '2026-09-21T14:13:20.000Z',
    };
    expect(bySequence.get('11')).toMatchObject({
      ...common,
      address: ticketAt(usdc, 11n),
      state: 'QUEUED',
      collateral: '200',
      amount: { amount: '300', baseUnits: '300000000', token: { symbol: 'USDC' } },
      ticketsAhead: '2',
    });
    expect(bySequence.get('12')).toMatchObject({
      ...common,
      state: 'CANCELLED',
      collateral: '0',
      amount: { amount: '0' },
      ticketsAhead: '3',
    });
    // Its turn is over, but the collateral is still the wallet's.
    expect(bySequence.get('3')).toMatchObject({
      ...common,
      state: 'INVALID',
      amount: { amount: '60' },
      ticketsAhead: null,
    });
  });

  it('count in the net value', async () => {
    const { data } = await gateway.query<{
      wallet: { netValue: { usd: string } };
      reserve: { price: { usd: string } };
    }>(`{ wallet(address: "${WALLET}") { netValue { usd } } reserve(address: "${usdc}") { price { usd } } }`);
    expect(Number(data.wallet.netValue.usd)).toBeCloseTo(360 * Number(data.reserve.price.usd), 9);
  });

  it('count in a scenario, at the supposed price', async () => {
    const totals = '{ queuedUsd netValueUsd }';
    const { data, errors } = await gateway.query<{
      wallet: {
        netValue: { usd: string };
        whatIf: Record<'before' | 'after', { queuedUsd: string; netValueUsd: string }>;
      };
    }>(
      `query ($mint: Address!) { wallet(address: "${WALLET}") { netValue { usd }
        whatIf(prices: [{ mint: $mint, changePct: "-50" }]) { before ${totals} after ${totals} } } }`,
      { variables: { mint: localChain.addresses.tokenMint } },
    );
    expect(errors).toEqual([]);
    const { netValue, whatIf } = data.wallet;
    expect(whatIf.before).toEqual({ queuedUsd: netValue.usd, netValueUsd: netValue.usd });
    expect(Number(whatIf.after.queuedUsd)).toBeCloseTo(Number(netValue.usd) / 2, 9);
    expect(whatIf.after.netValueUsd).toBe(whatIf.after.queuedUsd);
  });

  it('are in the portfolio over REST, which has nothing of them for other wallets', async () => {
    const portfolioOf = async (wallet: Address) =>
      (await (await gateway.get(`/portfolio/${wallet}`)).json()) as {
        sections: Record<string, object>;
        withdrawTickets?: readonly { sequenceNumber: string }[];
      };
    const { sections, withdrawTickets: rows } = await portfolioOf(WALLET);
    expect(sections.withdrawTickets).toEqual(sections.lending);
    expect(rows).toHaveLength(3);
    expect(rows?.find(({ sequenceNumber }) => sequenceNumber === '11')).toMatchObject({
      ticket: ticketAt(usdc, 11n),
      reserve: usdc,
      state: 'QUEUED',
      ticketsAhead: '2',
      createdOn: '2026-09-21T14:13:20.000Z',
      collateralAmount: '200',
      symbol: 'USDC',
      amount: '300',
    });
    expect(rows?.find(({ sequenceNumber }) => sequenceNumber === '3')).not.toHaveProperty('ticketsAhead');
    const without = await portfolioOf(named('nobody'));
    expect(without).not.toHaveProperty('withdrawTickets');
    expect(without.sections).not.toHaveProperty('withdrawTickets');
  });

  it('come in pages', async () => {
    const page = async (after: string | null) => {
      const { data } = await gateway.query<{
        wallet: {
          withdrawTickets: {
            nodes: readonly Ticket[];
            pageInfo: { endCursor: string; hasNextPage: boolean };
          };
        };
      }>(
        `query ($after: String) { wallet(address: "${WALLET}") { withdrawTickets(first: 2, after: $after) {
          nodes { sequenceNumber } pageInfo { endCursor hasNextPage } } } }`,
        { variables: { after } },
      );
      return data.wallet.withdrawTickets;
    };
    const first = await page(null);
    expect(first).toMatchObject({ pageInfo: { hasNextPage: true } });
    const second = await page(first.pageInfo.endCursor);
    const found = [...first.nodes, ...second.nodes].map(({ sequenceNumber }) => sequenceNumber);
    expect(found.sort()).toEqual(['11', '12', '3']);
  });

  it('cost a wallet without any one search', async () => {
    const calls = async (fields: string) => {
      const { extensions, errors } = await gateway.query(
        `{ wallet(address: "${named('nobody')}") { ${fields} } }`,
      );
      expect(errors).toEqual([]);
      return extensions.chain?.rpcRequests ?? 0;
    };
    const without = await calls('obligations { totalCount }');
    expect(await calls('obligations { totalCount } withdrawTickets { totalCount }')).toBe(without + 1);
    // The net value needs the same search, which is made once.
    const net = await calls('netValue { usd }');
    expect(await calls('netValue { usd } withdrawTickets { totalCount }')).toBe(net);
  });
});
