import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import type { Address } from '@solana/kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type LiveApp, testApp } from '../support/apps/chain-app.ts';
import { EventStream, type StreamOptions } from '../support/http/event-stream.ts';

let world: LiveApp;
const open: EventStream<never>[] = [];

beforeAll(async () => {
  world = await testApp({ live: true });
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

interface EventFields {
  readonly slot: string;
  readonly reason: string;
  readonly address: Address;
}

describe('a stream', () => {
  it('starts with the present state and sends an event for each new View', async () => {
    const stream = await subscribe<{ slot: EventFields & { view: string; blockTime: string } }>(
      'subscription { slot { slot reason view blockTime } }',
    );
    const first = await stream.nextData();
    expect(first.data?.slot).toMatchObject({ slot: String(world.localChain.slot), reason: 'INITIAL' });
    await world.advance(3);
    const second = await stream.nextData();
    expect(second.data?.slot).toMatchObject({ slot: String(world.localChain.slot), reason: 'ACCRUAL' });
    expect(Date.parse(second.data?.slot.blockTime ?? '')).toBe(
      (world.localChain.blockTime(world.localChain.slot) ?? 0) * 1000,
    );
  });

  it('is neither cached, compressed nor buffered by proxies', async () => {
    const stream = await subscribe('subscription { slot { slot } }');
    const { headers, status } = stream.response;
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.get('content-encoding')).toBeNull();
    expect(headers.get('content-length')).toBeNull();
  });

  it('reports the View and its slots in each event, with the View as event id', async () => {
    const stream = await subscribe<{ vaults: EventFields }>(
      'subscription ($vault: Address!) { vaults(addresses: [$vault]) { slot vault { name } } }',
      { variables: { vault: world.localChain.addresses.vault } },
    );
    const event = await stream.next();
    const chain = event?.data?.extensions?.chain;
    expect(chain).toMatchObject({
      slot: event?.data?.data?.vaults.slot,
      slotMin: String(world.localChain.slot),
      slotMax: String(world.localChain.slot),
      rpcRequests: 0,
    });
    expect(event?.id).toBe(chain?.view);
    expect(event?.event).toBe('next');
  });

  it('has the same numbers as a query on the same View', async () => {
    const { vault, obligation } = world.localChain.addresses;
    const fields =
      'vault { totalValue { amount usd sol } tokensPerShare currentApy { total } allocations { invested { usd } } }';
    const stream = await subscribe<{ vaults: { vault: unknown } }>(
      `subscription ($vault: Address!) { vaults(addresses: [$vault]) { ${fields} } }`,
      { variables: { vault } },
    );
    const loan = await subscribe<{ obligations: { obligation: unknown } }>(
      `subscription ($o: Address!) { obligations(addresses: [$o]) { obligation { healthFactor netValue { usd } borrows { amount { usd } } } } }`,
      { variables: { o: obligation } },
    );
    await Promise.all([stream.nextData(), loan.nextData()]);
    await world.advance(20);
    const [event, lent] = await Promise.all([stream.nextData(), loan.nextData()]);
    const at = (view: string | undefined) => ({ headers: { 'x-view': String(view) } });
    const asked = await world.query<{ vault: object }>(
      `query ($vault: Address!) { vault(address: $vault) ${fields.slice('vault '.length)} }`,
      { variables: { vault }, ...at(event.extensions?.chain?.view) },
    );
    expect(event.data?.vaults.vault).toEqual(asked.data.vault);
    const borrowed = await world.query<{ obligation: object }>(
      `query ($o: Address!) { obligation(address: $o) { healthFactor netValue { usd } borrows { amount { usd } } } }`,
      { variables: { o: obligation }, ...at(lent.extensions?.chain?.view) },
    );
    expect(lent.data?.obligations.obligation).toEqual(borrowed.data.obligation);
  });

  it('sends one event per address, with null for absent accounts', async () => {
    const { vault, emptyWallet, reserve } = world.localChain.addresses;
    const stream = await subscribe<{ vaults: EventFields & { vault: { name: string } | null } }>(
      'subscription ($all: [Address!]!) { vaults(addresses: $all) { address reason vault { name } } }',
      { variables: { all: [vault, emptyWallet, reserve, vault] } },
    );
    const events = [await stream.nextData(), await stream.nextData(), await stream.nextData()];
    const received = new Map(events.map(({ data }) => [data?.vaults.address, data?.vaults]));
    expect(received.get(vault)?.vault?.name).toEqual(expect.any(String));
    expect(received.get(emptyWallet)).toMatchObject({ reason: 'INITIAL', vault: null });
    expect(received.get(reserve)?.vault).toBeNull();
  });

  it('starts with the present state after a reconnection', async () => {
    const query = 'subscription ($r: Address!) { reserves(addresses: [$r]) { slot reason } }';
    const variables = { r: world.localChain.addresses.reserve };
    const before = await subscribe<{ reserves: EventFields }>(query, { variables });
    const first = await before.next();
    before.close();
    await world.advance(5);
    const again = await subscribe<{ reserves: EventFields }>(query, {
      variables,
      headers: { 'last-event-id': first?.id ?? '' },
    });
    const event = await again.nextData();
    expect(event.data?.reserves).toEqual({ slot: String(world.localChain.slot), reason: 'INITIAL' });
  });
});

describe('obligationHealth', () => {
  it('sends an event only when the health factor crosses the threshold', async () => {
    const { obligation } = world.localChain.addresses;
    const ask = async () => {
      const { data } = await world.query<{ obligation: { healthFactor: string } }>(
        'query ($o: Address!) { obligation(address: $o) { healthFactor } }',
        { variables: { o: obligation } },
      );
      return parseDecimal(data.obligation.healthFactor);
    };
    const threshold = await ask();
    const stream = await subscribe<{ obligationHealth: EventFields & { below: boolean } }>(
      'subscription ($o: Address!, $at: Decimal!) { obligationHealth(address: $o, below: $at) { slot reason below obligation { healthFactor } } }',
      { variables: { o: obligation, at: toDecimalString(threshold) } },
    );
    const first = (await stream.nextData()).data?.obligationHealth;
    expect(first).toMatchObject({ reason: 'INITIAL', below: false });
    // Most of the collateral is SOL.
    const { worldChain } = world.localChain;
    const priceSf = worldChain.world.reserves.find(({ token }) => token.symbol === 'SOL')?.priceSf ?? 0n;
    for (const { percent, below, isCrossed } of [
      { percent: 90n, below: true, isCrossed: true },
      { percent: 80n, below: true, isCrossed: false },
      { percent: 120n, below: false, isCrossed: true },
    ]) {
      worldChain.setPrice('SOL', (priceSf * percent) / 100n);
      await world.advance(1);
      expect((await ask()).compare(threshold) < 0).toBe(below);
      if (!isCrossed) continue;
      const event = (await stream.nextData()).data?.obligationHealth;
      expect(event).toMatchObject({ slot: String(world.localChain.slot), below });
      expect(event?.reason).not.toBe('INITIAL');
    }
  });
});
