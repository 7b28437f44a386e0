import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountIn, TestChain, withFields } from '../../packages/localnet/test/support/chain/test-world.ts';
import { named } from '../../packages/protocol/test/support/transaction-maker.ts';
import { type ChainApp, testApp } from '../support/apps/chain-app.ts';
import { type PlacedTicket, placeQueue, ticketAt } from '../support/lending/placed-queue.ts';

const [FIRST, WALLET] = [named('the first'), named('wallet with tickets')];

/** 1.5 USDC for each collateral token: 900, 150 and 300 wait, 1,350 in all. */
const TICKETS: readonly PlacedTicket[] = [
  { number: 9n, owner: FIRST, collateral: 600n },
  { number: 10n, owner: named('the second'), collateral: 100n },
  { number: 11n, owner: WALLET, collateral: 200n },
  { number: 12n, owner: WALLET, collateral: 0n },
  { number: 3n, owner: WALLET, collateral: 40n, invalid: true },
];

const amount = (text: string) => ({ amount: text });

const QUEUE = `withdrawQueue { collateral tickets amount { amount } payable { amount } missing { amount } free { amount }
  minTicketUsd issuanceBlock paymentBlock cancellationBlock }`;

const WAITING = `sequenceNumber owner { address } state amountAhead { amount } payable { amount }
  estimate { state paidAt missing { amount } inflow { from } }`;

interface Waiting {
  readonly sequenceNumber: string;
  readonly amountAhead: { readonly amount: string } | null;
  readonly payable: { readonly amount: string } | null;
  readonly estimate: { readonly state: string };
}

interface TicketPage {
  readonly totalCount: number;
  readonly nodes: readonly Waiting[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

type Gateway = Pick<ChainApp<TestChain>, 'query' | 'localChain'>;

async function queueOf({ query, localChain }: Gateway) {
  const { data, errors } = await query<{ reserve: { withdrawQueue: object } }>(
    `{ reserve(address: "${localChain.addresses.reserve}") { ${QUEUE} } }`,
  );
  expect(errors).toEqual([]);
  return data.reserve.withdrawQueue;
}

async function ticketsOf({ query, localChain }: Gateway, page = 'first: 100') {
  const { data, errors, extensions } = await query<{ reserve: { withdrawTickets: TicketPage } }>(
    `{ reserve(address: "${localChain.addresses.reserve}") { withdrawTickets(${page}) {
      totalCount nodes { ${WAITING} } pageInfo { endCursor hasNextPage } } } }`,
  );
  expect(errors).toEqual([]);
  return { ...data.reserve.withdrawTickets, extensions };
}

describe('a queue that waits', () => {
  let gateway: ChainApp<TestChain>;
  let usdc: Address;
  beforeAll(async () => {
    const chain = new TestChain();
    usdc = placeQueue(chain, { available: 1_200n, next: 9n, issued: 13n, tickets: TICKETS });
    gateway = await testApp({ chain, frozen: true });
  });
  afterAll(() => gateway?.stop());

  it('says how much waits, is payable and is missing, and that nothing is free', async () => {
    expect(await queueOf(gateway)).toEqual({
      collateral: '900',
      tickets: '4',
      amount: amount('1350'),
      payable: amount('1200'),
      missing: amount('150'),
      free: amount('0'),
      minTicketUsd: '2',
      issuanceBlock: null,
      paymentBlock: null,
      cancellationBlock: null,
    });
  });

  it('lists its tickets in order, with what is ahead of each and what can be paid of it', async () => {
    const { totalCount, nodes } = await ticketsOf(gateway);
    expect(totalCount).toBe(4);
    const waits = (number: number, owner: Address, state: string) => ({
      sequenceNumber: String(number),
      owner: { address: owner },
      state,
    });
    const withoutHistory = (state: string, missing: string | null) => ({
      estimate: { state, paidAt: null, missing: missing && amount(missing), inflow: null },
    });
    expect(nodes).toEqual([
      {
        ...waits(9, FIRST, 'QUEUED'),
        amountAhead: amount('0'),
        payable: amount('900'),
        ...withoutHistory('PAYABLE_NOW', '0'),
      },
      {
        ...waits(10, named('the second'), 'QUEUED'),
        amountAhead: amount('900'),
        payable: amount('150'),
        ...withoutHistory('PAYABLE_NOW', '0'),
      },
      {
        ...waits(11, WALLET, 'QUEUED'),
        amountAhead: amount('1050'),
        payable: amount('150'),
        ...withoutHistory('HISTORY_UNAVAILABLE', '150'),
      },
      {
        ...waits(12, WALLET, 'CANCELLED'),
        amountAhead: amount('1350'),
        payable: amount('0'),
        ...withoutHistory('NOT_WAITING', null),
      },
    ]);
  });

  it('says nothing of the place of a ticket whose turn is over', async () => {
    const { data } = await gateway.query<{ wallet: { withdrawTickets: TicketPage } }>(
      `{ wallet(address: "${WALLET}") { withdrawTickets { nodes { ${WAITING} } } } }`,
    );
    const passed = data.wallet.withdrawTickets.nodes.find(({ sequenceNumber }) => sequenceNumber === '3');
    expect(passed).toMatchObject({ amountAhead: null, payable: null, estimate: { state: 'NOT_WAITING' } });
  });

  it('comes in pages, over REST too', async () => {
    const first = await ticketsOf(gateway, 'first: 3');
    expect(first.pageInfo.hasNextPage).toBe(true);
    const second = await ticketsOf(gateway, `first: 3, after: "${first.pageInfo.endCursor}"`);
    expect(second.nodes.map(({ sequenceNumber }) => sequenceNumber)).toEqual(['12']);
    interface RestPage {
      readonly queue: readonly { readonly sequenceNumber: string }[];
      readonly paginationToken?: string;
    }
    const read = async (query: string) =>
      (await (await gateway.get(`/reserves/${usdc}/withdraw-queue?${query}`)).json()) as RestPage;
    const { queue, paginationToken } = await read('limit=3');
    const rest = await read(`limit=3&paginationToken=${paginationToken}`);
    expect([...queue, ...rest.queue].map(({ sequenceNumber }) => sequenceNumber)).toEqual([
      '9',
      '10',
      '11',
      '12',
    ]);
    expect(rest).not.toHaveProperty('paginationToken');
  });

  it('is in the portfolio of a wallet over REST', async () => {
    const answer = await (await gateway.get(`/portfolio/${WALLET}`)).json();
    const { withdrawTickets } = answer as { withdrawTickets: readonly { sequenceNumber: string }[] };
    expect(withdrawTickets.find(({ sequenceNumber }) => sequenceNumber === '11')).toMatchObject({
      amount: '300',
      ticketsAhead: '2',
      amountAhead: '1050',
      payableAmount: '150',
      estimate: { state: 'HISTORY_UNAVAILABLE', missingAmount: '150' },
    });
  });

  it('is searched once for all tickets, and not for the first one', async () => {
    const calls = async (wallet: Address, fields: string) => {
      const { extensions } = await gateway.query(
        `{ wallet(address: "${wallet}") { withdrawTickets { nodes { ${fields} } } } }`,
      );
      return extensions.chain?.rpcRequests;
    };
    expect(await calls(WALLET, 'sequenceNumber')).toBe(1);
    expect(await calls(WALLET, 'amountAhead { amount } payable { amount } estimate { state }')).toBe(2);
    expect(await calls(FIRST, 'amountAhead { amount } payable { amount } estimate { state }')).toBe(1);
  });
});

describe('a queue of a market that stopped payments', () => {
  let gateway: ChainApp<TestChain>;
  beforeAll(async () => {
    const chain = new TestChain();
    const usdc = placeQueue(chain, { available: 1_200n, next: 9n, issued: 13n, tickets: TICKETS });
    const { market } = chain.addresses;
    const stopped = { withdrawTicketIssuanceEnabled: 0, withdrawTicketRedemptionEnabled: 0 };
    chain.place(market, withFields(lendingMarket, accountIn(chain, market), stopped));
    const broken = accountIn(chain, ticketAt(usdc, 10n));
    chain.place(ticketAt(usdc, 10n), { ...broken, data: broken.data.slice(0, 200) });
    gateway = await testApp({ chain, frozen: true });
  });
  afterAll(() => gateway?.stop());

  it('pays nothing, and can be left', async () => {
    expect(await queueOf(gateway)).toMatchObject({
      payable: amount('0'),
      missing: amount('150'),
      issuanceBlock: 'DISABLED',
      paymentBlock: 'DISABLED',
      cancellationBlock: null,
    });
  });

  it('leaves out a ticket that cannot be read, and says nothing of what is behind it', async () => {
    const { nodes, totalCount, extensions } = await ticketsOf(gateway);
    expect(totalCount).toBe(3);
    const account = ticketAt(gateway.localChain.addresses.reserve, 10n);
    expect(extensions).toMatchObject({ warnings: [{ account, path: ['reserve', 'withdrawTickets'] }] });
    const [first, third] = nodes;
    // Nothing is before the first one.
    expect(first).toMatchObject({ amountAhead: amount('0'), payable: amount('0') });
    expect(third).toMatchObject({ sequenceNumber: '11', amountAhead: null, payable: null });
    expect([first, third].map((ticket) => ticket?.estimate.state)).toEqual([
      'PAYMENTS_BLOCKED',
      'PAYMENTS_BLOCKED',
    ]);
  });
});
