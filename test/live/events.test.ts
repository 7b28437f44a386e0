import type { Address } from '@solana/kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseDecimal, toDecimalString } from '../../src/numeric/decimal.ts';
import { type LiveWorld, startLiveWorld } from '../support/apps/live-app.ts';
import { EventStream, type StreamOptions } from '../support/http/event-stream.ts';

let world: LiveWorld;
const open: EventStream<never>[] = [];

beforeAll(async () => {
  world = await startLiveWorld();
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});
afterAll(() => world?.stop());

async function subscribe<T>(query: string, options?: StreamOptions): Promise<EventStream<T>> {
  const stream = await EventStream.open<T>(world.site.origin, query, options);
  open.push(stream as EventStream<never>);
  return stream;
}

interface Told {
  readonly slot: string;
  readonly reason: string;
  readonly address: Address;
}

describe('a stream', () => {
  it('begins with the present state, and tells of each new View with its slot', async () => {
    const stream = await subscribe<{ slot: Told & { view: number; blockTime: string } }>(
      'subscription { slot { slot reason view blockTime } }',
    );
    const first = await stream.told();
    expect(first.data?.slot).toMatchObject({ slot: String(world.ledger.slot), reason: 'INITIAL' });
    await world.advance(3);
    const second = await stream.told();
    expect(second.data?.slot).toMatchObject({ slot: String(world.ledger.slot), reason: 'ACCRUAL' });
    expect(Date.parse(second.data?.slot.blockTime ?? '')).toBe(
      (world.ledger.blockTime(world.ledger.slot) ?? 0) * 1000,
    );
  });

  it('is sent as it comes: not stored, not compressed, not held back by a proxy', async () => {
    const stream = await subscribe('subscription { slot { slot } }');
    const { headers, status } = stream.response;
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.get('content-encoding')).toBeNull();
    expect(headers.get('content-length')).toBeNull();
  });

  it('says in each event which View and slots it was made of, and names the View as its id', async () => {
    const stream = await subscribe<{ vaults: Told }>(
      'subscription ($vault: Address!) { vaults(addresses: [$vault]) { slot vault { name } } }',
      { variables: { vault: world.ledger.addresses.vault } },
    );
    const event = await stream.next();
    const chain = event?.data?.extensions?.chain;
    expect(chain).toMatchObject({
      slot: event?.data?.data?.vaults.slot,
      slotMin: String(world.ledger.slot),
      slotMax: String(world.ledger.slot),
      rpcRequests: 0,
    });
    expect(event?.id).toBe(String(chain?.view));
    expect(event?.event).toBe('next');
  });

  it('has the numbers that a query has on the same View', async () => {
    const { vault, obligation } = world.ledger.addresses;
    const fields =
      'vault { totalValue { amount usd sol } tokensPerShare apy { total } allocations { invested { usd } } }';
    const stream = await subscribe<{ vaults: { vault: unknown } }>(
      `subscription ($vault: Address!) { vaults(addresses: [$vault]) { ${fields} } }`,
      { variables: { vault } },
    );
    const loan = await subscribe<{ obligations: { obligation: unknown } }>(
      `subscription ($o: Address!) { obligations(addresses: [$o]) { obligation { healthFactor netValue { usd } borrows { amount { usd } } } } }`,
      { variables: { o: obligation } },
    );
    await Promise.all([stream.told(), loan.told()]);
    await world.advance(20);
    const [event, lent] = await Promise.all([stream.told(), loan.told()]);
    const at = (view: number | undefined) => ({ headers: { 'x-view': String(view) } });
    const asked = await world.gateway.query<{ vault: object }>(
      `query ($vault: Address!) { vault(address: $vault) ${fields.slice('vault '.length)} }`,
      { variables: { vault }, ...at(event.extensions?.chain?.view) },
    );
    expect(event.data?.vaults.vault).toEqual(asked.data.vault);
    const borrowed = await world.gateway.query<{ obligation: object }>(
      `query ($o: Address!) { obligation(address: $o) { healthFactor netValue { usd } borrows { amount { usd } } } }`,
      { variables: { o: obligation }, ...at(lent.extensions?.chain?.view) },
    );
    expect(lent.data?.obligations.obligation).toEqual(borrowed.data.obligation);
  });

  it('tells of several things one by one, and of what is not there with null', async () => {
    const { vault, emptyWallet, reserve } = world.ledger.addresses;
    const stream = await subscribe<{ vaults: Told & { vault: { name: string } | null } }>(
      'subscription ($all: [Address!]!) { vaults(addresses: $all) { address reason vault { name } } }',
      { variables: { all: [vault, emptyWallet, reserve, vault] } },
    );
    const events = [await stream.told(), await stream.told(), await stream.told()];
    const told = new Map(events.map(({ data }) => [data?.vaults.address, data?.vaults]));
    expect(told.get(vault)?.vault?.name).toEqual(expect.any(String));
    expect(told.get(emptyWallet)).toMatchObject({ reason: 'INITIAL', vault: null });
    expect(told.get(reserve)?.vault).toBeNull();
  });

  it('connected again, begins with the present state, whatever the client has seen', async () => {
    const query = 'subscription ($r: Address!) { reserves(addresses: [$r]) { slot reason } }';
    const variables = { r: world.ledger.addresses.reserve };
    const before = await subscribe<{ reserves: Told }>(query, { variables });
    const first = await before.next();
    before.close();
    await world.advance(5);
    const again = await subscribe<{ reserves: Told }>(query, {
      variables,
      headers: { 'last-event-id': first?.id ?? '' },
    });
    const event = await again.told();
    expect(event.data?.reserves).toEqual({ slot: String(world.ledger.slot), reason: 'INITIAL' });
  });
});

describe('an alarm', () => {
  it('tells when the health factor comes to the other side of the threshold, and of nothing else', async () => {
    const { obligation } = world.ledger.addresses;
    const ask = async () => {
      const { data } = await world.gateway.query<{ obligation: { healthFactor: string } }>(
        'query ($o: Address!) { obligation(address: $o) { healthFactor } }',
        { variables: { o: obligation } },
      );
      return parseDecimal(data.obligation.healthFactor);
    };
    const threshold = await ask();
    const stream = await subscribe<{ obligationHealth: Told & { below: boolean } }>(
      'subscription ($o: Address!, $at: Decimal!) { obligationHealth(address: $o, below: $at) { slot reason below obligation { healthFactor } } }',
      { variables: { o: obligation, at: toDecimalString(threshold) } },
    );
    const first = (await stream.told()).data?.obligationHealth;
    expect(first).toMatchObject({ reason: 'INITIAL', below: false });
    let [crossings, below] = [0, false];
    for (let i = 0; i < 400 && crossings < 2; i += 1) {
      await world.advance(7);
      if ((await ask()).compare(threshold) < 0 === below) continue;
      below = !below;
      crossings += 1;
      const told = (await stream.told()).data?.obligationHealth;
      expect(told).toMatchObject({ slot: String(world.ledger.slot), below });
      expect(told?.reason).not.toBe('INITIAL');
    }
    expect(crossings).toBe(2);
  });
});
