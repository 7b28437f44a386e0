import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { NO_REDIS, skipRedis } from '../support/databases/redis-server.ts';
import { type FedGateway, FeedWorld } from '../support/feed/feed-world.ts';

const ASK = '{ vaults(first: 2) { nodes { address name } } }';

describe.skipIf(skipRedis)(`gateways that share Views, when something fails${NO_REDIS}`, () => {
  let world: FeedWorld;
  let gateways: readonly FedGateway[];

  beforeAll(async () => {
    world = await FeedWorld.start();
    gateways = [await world.add('a'), await world.add('b'), await world.add('c')];
  });
  afterAll(() => world?.stop());
  afterEach(() => expect(world.witness.problems).toEqual([]));

  const originOf = ({ id }: FedGateway) => id?.split('-')[0];
  const others = (one: FedGateway) => gateways.filter((each) => each !== one);
  async function answers(): Promise<void> {
    for (const gateway of gateways) expect((await gateway.query(ASK)).errors).toEqual([]);
  }

  it('the reader loses the RPC: another one reads, and the first one follows', async () => {
    const reader = await world.agree();
    await reader.rpc.die();
    await until(() => others(reader).some(({ role }) => role === 'reader'));
    await answers();
    const next = await world.agree();
    expect(next).not.toBe(reader);
    expect(reader.role).toBe('follower');
    expect(reader.app.chain.state().trouble).toBeNull();
    await reader.rpc.revive();
  });

  it('the RPC of the reader accepts calls and never answers: another one reads, and the first one follows', async () => {
    const reader = await world.agree();
    reader.rpc.misbehave(() => undefined);
    await until(() => others(reader).some(({ role }) => role === 'reader'));
    await answers();
    const next = await world.agree();
    expect(next).not.toBe(reader);
    expect(reader.role).toBe('follower');
    reader.rpc.heal();
  });

  it('all lose the RPC: they answer from what they have, say so, and go on by themselves', async () => {
    await world.agree();
    for (const { rpc } of gateways) await rpc.die();
    await until(() => gateways.some(({ app }) => app.chain.state().trouble !== null));
    await answers();
    for (const { rpc } of gateways) await rpc.revive();
    await world.agree();
    await until(() => gateways.every(({ app }) => app.chain.state().trouble === null));
  });

  it('the reader loses Redis: it reads alone under its own ids, and comes back', async () => {
    const reader = await world.agree();
    reader.redis.cut();
    await until(() => reader.role === 'standalone');
    await until(() => others(reader).some(({ role }) => role === 'reader'));
    await world.agree(others(reader));
    await until(() => !others(reader).map(originOf).includes(originOf(reader)));
    await answers();
    reader.redis.open();
    await world.agree();
    expect(gateways.filter(({ role }) => role === 'reader')).toHaveLength(1);
  });

  it('a follower loses Redis: it reads alone, and comes back', async () => {
    const reader = await world.agree();
    const [follower] = others(reader);
    if (follower === undefined) throw new Error('no follower');
    follower.redis.cut();
    await until(() => follower.role === 'standalone' && originOf(follower) !== originOf(reader));
    follower.redis.open();
    await world.agree();
    expect(follower.role).not.toBe('standalone');
  });

  it('Redis dies with all its data: all read alone, then share again', async () => {
    await world.agree();
    await world.redis.kill();
    await until(() => gateways.every(({ role }) => role === 'standalone'));
    world.localChain.advance(3);
    const { slot } = world.localChain;
    await until(() => gateways.every(({ app }) => app.chain.views.current().moment.slot >= slot));
    expect(new Set(gateways.map(originOf)).size).toBe(3);
    await answers();
    await world.redis.start();
    await world.agree();
    expect(gateways.map(({ role }) => role).sort()).toEqual(['follower', 'follower', 'reader']);
  });

  it('Redis hangs: all go on, then share again', async () => {
    await world.agree();
    world.redis.pause();
    await until(() => gateways.every(({ role }) => role === 'standalone'));
    await answers();
    world.localChain.advance(3);
    const { slot } = world.localChain;
    await until(() => gateways.every(({ app }) => app.chain.views.current().moment.slot >= slot));
    world.redis.resume();
    await world.agree();
  });

  it('the reader stops: another one takes over at once', async () => {
    const reader = await world.agree();
    await reader.app.stop();
    const next = await world.agree(others(reader));
    expect(next).not.toBe(reader);
  });

  it('a gateway that starts without Redis reads for itself', async () => {
    await world.redis.kill();
    const late = await world.add('late');
    expect(late.role).toBe('standalone');
    await world.redis.start();
    await until(() => late.role !== 'standalone');
  });
});
