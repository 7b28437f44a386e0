import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { makeKey, type NewKey } from '../../src/limits/keys/api-key.ts';
import { KeyFolder } from '../../src/limits/keys/key-folder.ts';
import { type LiveApp, testApp } from '../support/apps/chain-app.ts';
import { type EventData, EventStream } from '../support/http/event-stream.ts';

const HOSTILE_STREAMS = 100;
const ORDINARY_STREAMS = 10;

let live: LiveApp;
let folder: string;
let keys: KeyFolder;
const open: EventStream<unknown>[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-keys-'));
  keys = new KeyFolder(folder);
  live = await testApp({ live: true, env: { KEYS_DIR: folder, MAX_STREAMS_PER_CLIENT: '1000' } });
});
afterEach(async () => {
  await until(() => {
    for (const stream of open.splice(0)) stream.close();
    return live.app.live.streams === 0;
  });
});
afterAll(async () => {
  await live?.stop();
  await keys?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A key that the gateway knows. */
async function newKey(of: Partial<NewKey>) {
  const made = makeKey({ name: 'test', limit: 0, origins: [], ...of }, new Date());
  await keys.add(made.key);
  const headers = { authorization: `Bearer ${made.text}` };
  for (let isKnown = false; !isKnown; ) {
    // Over a socket: the gateway reads its keys on a timer, which needs turns of the event loop.
    isKnown = (await fetch(`${live.site.origin}/kvaults/vaults`, { headers })).ok;
  }
  return { id: made.key.id, headers };
}

interface Loan {
  readonly obligations: { readonly slot: string };
}

/** Equal subscriptions but for their name, so that each has a channel of its own. */
const loan = (name: string) =>
  `subscription ${name}($o: Address!) { obligations(addresses: [$o]) { slot obligation { healthFactor
    deposits { reserve { address market { name reserves { address } } } } } } }`;

async function follow(query: string, headers: Readonly<Record<string, string>>): Promise<EventStream<Loan>> {
  const variables = { o: live.localChain.addresses.obligation, w: live.localChain.addresses.wallet };
  const stream = await EventStream.open<Loan>(live.site.origin, query, { variables, headers });
  open.push(stream);
  expect((await stream.nextData()).errors ?? []).toEqual([]);
  return stream;
}

async function followEach(count: number, document: (name: string) => string, headers = {}) {
  const names = Array.from({ length: count }, (_, i) => `Stream${i}`);
  return await Promise.all(names.map((name) => follow(document(name), headers)));
}

/** Counts Views, and RPC calls that name an address. */
function countCalls(address: string) {
  const counted = { calls: 0, views: 0 };
  const ignoreViews = live.app.chain.views.onView(() => {
    counted.views += 1;
  });
  const ignoreCalls = live.rpc.faults.add({
    status: 503,
    when(_method, params) {
      if (JSON.stringify(params).includes(address)) counted.calls += 1;
      return false;
    },
  });
  const stop = () => {
    ignoreViews();
    ignoreCalls();
  };
  return { counted, stop };
}

describe('a hundred different streams of one address', () => {
  it('read an obligation once per View', async () => {
    const streams = await followEach(HOSTILE_STREAMS, loan);
    expect(live.app.live.channels).toBe(HOSTILE_STREAMS);
    const { counted, stop } = countCalls(live.localChain.addresses.obligation);
    for (let round = 1; round <= 3; round += 1) {
      await live.advance();
      const isNewest = ({ data }: EventData<Loan>) => data?.obligations.slot === String(live.localChain.slot);
      await Promise.all(streams.map((stream) => stream.until(isNewest)));
    }
    expect(counted.calls).toBeGreaterThanOrEqual(3);
    expect(counted.calls).toBeLessThanOrEqual(counted.views);
    stop();
  });

  it('search for the accounts of a wallet once per View, even if its SOL balance keeps changing', async () => {
    const wallet = (name: string) =>
      `subscription ${name}($w: Address!) { wallet(address: $w) { slot wallet { netValue { usd } } } }`;
    const address = live.localChain.addresses.wallet;
    const streams = await followEach(HOSTILE_STREAMS, wallet);
    const { counted, stop } = countCalls(address);
    const account = accountIn(live.localChain, address);
    for (let round = 1; round <= 3; round += 1) {
      live.localChain.place(address, { ...account, lamports: account.lamports + BigInt(round) });
      await live.advance();
      await Promise.all(streams.map((stream) => stream.nextData()));
    }
    live.localChain.restore();
    expect(counted.calls).toBeGreaterThanOrEqual(3);
    // The wallet's account, its token accounts of two programs, and its obligations.
    expect(counted.calls).toBeLessThanOrEqual(4 * counted.views);
    stop();
  });
});

describe('a client with a hundred streams that it cannot pay for', () => {
  it('skips Views, while ten ordinary streams get all of theirs', async () => {
    const { headers } = await newKey({ name: 'hostile', limit: 350 });
    await followEach(HOSTILE_STREAMS, loan, headers);
    const ordinary = await followEach(ORDINARY_STREAMS, (name) => loan(`Ordinary${name}`));
    const before = await live.metric('sluice_stream_executions_total');
    const views = 5;
    for (let view = 1; view <= views; view += 1) {
      await live.advance();
      for (const stream of ordinary) {
        const { extensions } = await stream.until(
          ({ data }) => data?.obligations.slot === String(live.localChain.slot),
        );
        expect(extensions).not.toHaveProperty('slowed');
      }
    }
    const executed = (await live.metric('sluice_stream_executions_total')) - before;
    // A View of the hostile streams costs 300; of its 350 a minute the key may spend 280 on streams.
    expect(executed).toBeLessThan(views * (HOSTILE_STREAMS + ORDINARY_STREAMS));
    expect(await live.metric('sluice_stream_skipped_total')).toBeGreaterThan(0);
  });
});

describe('a revoked key', () => {
  it('ends its streams with an error and `complete`, and no others', async () => {
    const { id, headers } = await newKey({ name: 'revoked' });
    const revoked = await follow(loan('Revoked'), headers);
    const other = await follow(loan('Other'), {});
    await keys.revoke(id, new Date());
    const event = await revoked.next();
    expect(event?.data?.errors?.[0]?.extensions?.code).toBe('UNAUTHENTICATED');
    expect((await revoked.next())?.event).toBe('complete');
    expect(await revoked.next()).toBeNull();
    await live.advance();
    expect((await other.nextData()).data?.obligations.slot).toBe(String(live.localChain.slot));
  });
});
