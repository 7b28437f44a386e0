import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { NO_REDIS, skipRedis } from '../support/databases/redis-server.ts';
import { type FedGateway, FeedWorld, PATIENT } from '../support/feed/feed-world.ts';
import { Forger } from '../support/feed/forger.ts';

const ASK = '{ vaults(first: 2) { nodes { address } } }';
const FAR = 1_000_000_000n;
const PATIENTLY = { timeout: 120_000, interval: 50 };

/** On a busy machine the RPC may answer later than the first View waits for it. */
async function untilReady(gateway: FedGateway): Promise<void> {
  await vi.waitUntil(async () => (await gateway.get('/ready')).status === 200, PATIENTLY);
}

interface Vaults {
  readonly vaults: { readonly nodes: readonly { readonly address: string }[] };
}

describe.skipIf(skipRedis)(`gateways that share Views over a Redis to which others write${NO_REDIS}`, () => {
  let world: FeedWorld;
  let gateways: readonly FedGateway[];
  const forgers: Forger[] = [];

  beforeAll(async () => {
    world = await FeedWorld.start();
    gateways = [await world.add('a'), await world.add('b')];
  });
  afterEach(() => {
    expect(world.witness.problems).toEqual([]);
    for (const forger of forgers.splice(0)) forger.stop();
  });
  afterAll(() => world?.stop());

  function forger(secret?: string): Forger {
    const made = new Forger(world.redis.url, secret === undefined ? {} : { secret });
    forgers.push(made);
    return made;
  }
  const slotOf = ({ app }: FedGateway) => app.chain.views.newest?.moment.slot ?? 0n;
  const refusals = async (gateway: FedGateway, reason: string) => {
    const text = await (await gateway.get('/metrics')).text();
    return Number(
      new RegExp(`^sluice_feed_refused_total{reason="${reason}"} (\\d+)$`, 'm').exec(text)?.[1] ?? 0,
    );
  };
  async function followerOf(): Promise<FedGateway> {
    const reader = await world.agree();
    const follower = gateways.find((each) => each !== reader);
    if (follower === undefined) throw new Error('there is no follower');
    return follower;
  }
  /** All share Views that go on, answer from them and from the chain, and are ready. */
  async function works(): Promise<void> {
    await world.agree(gateways);
    for (const gateway of gateways) {
      const { data, errors } = await gateway.query<Vaults>(ASK);
      expect([errors, data.vaults.nodes.length]).toEqual([[], 2]);
      const minSlot = String(slotOf(gateway));
      const live = await gateway.get('/kvaults/vaults', { 'x-min-slot': minSlot });
      expect(live.status).toBe(200);
      expect(slotOf(gateway)).toBeLessThan(FAR);
      await untilReady(gateway);
    }
  }

  it.each([
    ['without the secret', 'something else of 32 characters..', 'UNAUTHENTIC'],
    ['with the secret', undefined, 'EMPTIED'],
  ] as const)('serve nothing of an empty View of a far slot, added %s', async (_, secret, reason) => {
    const follower = await followerOf();
    const before = await refusals(follower, reason);
    await forger(secret).appendEmpty(follower.app.chain.views.current());
    // The reader may publish between the View that the message changes and the message.
    await vi.waitUntil(async () => {
      if ((await refusals(follower, reason)) > before) return true;
      await forger(secret).appendEmpty(follower.app.chain.views.current());
      return false;
    }, PATIENTLY);
    await works();
  });

  it('follow nobody to a far slot, and read for themselves while a stranger holds the lease', async () => {
    await world.agree();
    const [one] = gateways;
    if (one === undefined) throw new Error('there is no gateway');
    const stranger = forger();
    await stranger.replaceFeed(one.app.chain.views.current());
    await until(() => gateways.every(({ role }) => role === 'standalone'));
    expect(gateways.map((each) => slotOf(each) < FAR)).toEqual([true, true]);
    world.localChain.advance(3);
    const { slot } = world.localChain;
    await until(() => gateways.every((each) => slotOf(each) >= slot));
    await stranger.admin.flushall();
    await works();
  });

  it.each(['lease', 'token', 'head', 'views', 'snapshot'] as const)(
    'share Views after the key of the %s was replaced by one of another type',
    async (name) => {
      await world.agree();
      await forger().replaceType(name);
      await works();
    },
  );

  it('share again after Redis was flushed', async () => {
    await world.agree();
    await forger().admin.flushall();
    await works();
  });
});

describe.skipIf(skipRedis)(`a reader beside others that write to Redis${NO_REDIS}`, () => {
  let world: FeedWorld;
  let forger: Forger | undefined;
  afterAll(async () => {
    forger?.stop();
    await world?.stop();
  });

  it('reads on while the key of its questions has another type, again and again', async () => {
    world = await FeedWorld.start(PATIENT);
    const reader = await world.add('reader');
    await world.add('follower');
    await world.agree();
    forger = new Forger(world.redis.url);
    // A new turn as a reader begins with a read of the whole catalogue, and its Views have another origin.
    const origin = () => reader.id?.split('-')[0];
    const before = origin();
    for (let times = 0; times < 5; times += 1) {
      await forger.replaceType('asks');
      await world.agree();
    }
    expect([reader.role, origin()]).toEqual(['reader', before]);
  });
});

describe.skipIf(skipRedis)(`a gateway that believed a far slot while no RPC answered${NO_REDIS}`, () => {
  let world: FeedWorld;
  let forger: Forger | undefined;
  afterAll(async () => {
    forger?.stop();
    await world?.stop();
  });

  it('drops it as soon as its RPC answers, without a storm of scans', async () => {
    world = await FeedWorld.start();
    const reader = await world.add('reader');
    await world.agree();
    forger = new Forger(world.redis.url);
    await forger.replaceFeed(reader.app.chain.views.current());
    const late = await world.add('late', {}, { withoutRpc: true });
    const slot = () => late.app.chain.views.newest?.moment.slot ?? 0n;
    expect(slot()).toBeGreaterThan(FAR);
    expect((await late.get('/ready')).status).toBe(503);
    let scans = 0;
    late.rpc.misbehave(({ body, pass }) => {
      if (body.includes('getProgramAccounts')) scans += 1;
      pass();
    });
    await late.rpc.revive();
    await until(() => slot() > 0n && slot() < FAR);
    expect((await late.query<Vaults>(ASK)).errors).toEqual([]);
    await untilReady(late);
    // One discovery of every kind.
    expect(scans).toBeLessThan(20);
    await forger.admin.flushall();
    await world.agree();
  });
});
