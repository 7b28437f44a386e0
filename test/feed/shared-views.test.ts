import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { type Answer, STILL } from '../support/apps/test-app.ts';
import { NO_REDIS, skipRedis } from '../support/databases/redis-server.ts';
import { type FedGateway, FeedWorld, PATIENT } from '../support/feed/feed-world.ts';

const PAGE = `query ($after: String) {
  vaults(first: 3, after: $after, orderBy: { field: CURRENT_APY, direction: DESC }) {
    nodes {
      address name idle { amount usd } invested { amount } currentApy { total }
      allocations { targetShare reserve { address supplyApy { total } } }
    }
    pageInfo { endCursor hasNextPage }
  }
}`;

interface Page {
  readonly vaults: {
    readonly nodes: readonly { readonly address: string }[];
    readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
  };
}

const PATHS = ['/kvaults/vaults', '/v2/svc-market', '/kvaults/shares/holders'];

describe.skipIf(skipRedis)(`gateways that share Views${NO_REDIS}`, () => {
  let world: FeedWorld;
  let gateways: readonly FedGateway[];

  beforeAll(async () => {
    world = await FeedWorld.start(PATIENT);
    const reader = await world.add('first');
    gateways = [reader, await world.add('second'), await world.add('third')];
  });
  afterAll(() => world?.stop());
  afterEach(() => expect(world.witness.problems).toEqual([]));

  /** A View that all of them have. */
  async function commonView(): Promise<string> {
    await world.agree();
    const [first] = gateways;
    const ids = first?.app.chain.views;
    for (;;) {
      const id = ids?.newest?.moment.id ?? '';
      if (gateways.every(({ app }) => app.chain.views.find(id) !== undefined)) return id;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it('let one of them read the chain; the others compare their first View with the RPC and never call it again', async () => {
    expect((await world.agree()).name).toBe('first');
    expect(gateways.map(({ role }) => role)).toEqual(['reader', 'follower', 'follower']);
    // On a busy machine the comparison may take another attempt, whose last call may be under way.
    await until(() => gateways.every(({ app }) => app.chain.state().trouble === null));
    const [reader, ...followers] = gateways;
    const started: number[] = [];
    for (const follower of followers) {
      const calls = await follower.settledCalls();
      expect(calls).toBeGreaterThanOrEqual(1);
      expect(calls).toBeLessThanOrEqual(follower.mostStartCalls());
      started.push(calls);
    }
    const before = reader?.rpc.met ?? 0;
    for (let i = 0; i < 3; i += 1) await world.agree();
    expect((reader?.rpc.met ?? 0) - before).toBeGreaterThanOrEqual(3);
    expect(followers.map(({ rpc }) => rpc.met)).toEqual(started);
  });

  it('give the same bytes and tags for the same View', async () => {
    const view = await commonView();
    const answers = await Promise.all(
      gateways.map(async (gateway) => {
        const graph = await gateway.query<Page>(PAGE, { headers: { 'x-view': view } });
        expect(graph.errors).toEqual([]);
        const rest = await Promise.all(
          PATHS.map(async (path) => {
            const response = await gateway.get(path, { 'x-view': view });
            const { headers } = response;
            return [response.status, headers.get('etag'), headers.get('x-view'), await response.text()];
          }),
        );
        return { graph: graph.text, rest };
      }),
    );
    expect(answers[0]?.graph).toContain(view);
    expect(answers[0]?.rest[0]?.slice(0, 3)).toEqual([200, expect.stringMatching(/"/), view]);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it('revalidate a copy that another one gave', async () => {
    const view = await commonView();
    const [first, second] = gateways;
    const given = await first?.get('/kvaults/vaults', { 'x-view': view });
    const headers = { 'x-view': view, 'if-none-match': given?.headers.get('etag') ?? '' };
    expect((await second?.get('/kvaults/vaults', headers))?.status).toBe(304);
  });

  it('continue a list that another one began', async () => {
    const view = await commonView();
    const [first, second, third] = gateways;
    const whole: string[] = [];
    let after: string | null = null;
    for (let turn = 0; ; turn += 1) {
      const gateway: FedGateway | undefined = [first, second, third][turn % 3];
      const page: Answer<Page> | undefined = await gateway?.query<Page>(PAGE, {
        variables: { after },
        headers: { 'x-view': view },
      });
      whole.push(...(page?.data.vaults.nodes.map(({ address }) => address) ?? []));
      after = page?.data.vaults.pageInfo.endCursor ?? null;
      if (!page?.data.vaults.pageInfo.hasNextPage) break;
    }
    expect(new Set(whole).size).toBe(whole.length);
    expect(whole.length).toBe(first?.app.chain.views.find(view)?.all('vault').size);
  });

  it('wait for a View that another one served before it arrived', async () => {
    const reader = await world.agree();
    const [, follower] = gateways;
    follower?.redis.cut();
    const known = reader.id;
    world.localChain.advance();
    await until(() => reader.id !== known);
    const view = reader.id ?? '';
    expect(follower?.app.chain.views.find(view)).toBeUndefined();
    const asked = follower?.get('/kvaults/vaults', { 'x-view': view });
    follower?.redis.open();
    const answer = await asked;
    expect([answer?.status, answer?.headers.get('x-view')]).toEqual([200, view]);
    const gone = await follower?.get('/kvaults/vaults', { 'x-view': view.replace(/-.*/, '-0') });
    expect(gone?.headers.get('x-error-code')).toBe('VIEW_GONE');
  });

  it('push what the reader has read to the subscribers of a follower', async () => {
    const [, follower] = gateways;
    if (follower === undefined) throw new Error('no follower');
    const response = await follower.app.fetch(
      new Request('http://sluice.test/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ query: 'subscription { slot { slot view } }' }),
      }),
    );
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    world.localChain.advance(3);
    const { slot } = world.localChain;
    let text = '';
    while (!text.includes(`"${slot}"`)) text += (await reader?.read())?.value ?? '';
    await reader?.cancel();
    const ids = [...text.matchAll(/"view":"([^"]+)"/g)].map((match) => match[1] ?? '');
    const [first] = gateways;
    expect(ids.some((id) => first?.app.chain.views.find(id) !== undefined)).toBe(true);
  });

  it('tell their role and metrics', async () => {
    const ready = await Promise.all(
      gateways.map(async (gateway) => (await gateway.get('/ready')).json() as Promise<{ chain: unknown }>),
    );
    expect(ready.map(({ chain }) => chain)).toEqual([
      expect.objectContaining({ role: 'reader' }),
      expect.objectContaining({ role: 'follower' }),
      expect.objectContaining({ role: 'follower' }),
    ]);
    const [sent, received] = await Promise.all(
      gateways.slice(0, 2).map(async (gateway) => (await gateway.get('/metrics')).text()),
    );
    expect(sent).toMatch(/^sluice_feed_role{role="reader"} 1$/m);
    expect(sent).toMatch(/^sluice_feed_role_changes_total{role="reader"} 1$/m);
    expect(sent).toMatch(/^sluice_feed_bytes_total{direction="sent"} [1-9]/m);
    expect(received).toMatch(/^sluice_feed_role{role="follower"} 1$/m);
    expect(received).toMatch(/^sluice_feed_role_changes_total{role="reader"} 0$/m);
    expect(received).toMatch(/^sluice_feed_bytes_total{direction="received"} [1-9]/m);
    expect(received).toMatch(/^sluice_feed_snapshots_total 1$/m);
  });

  it('do not share with a gateway of another commitment, or one that is configured not to', async () => {
    const other = await world.add('finalized', { SOLANA_COMMITMENT: 'finalized' });
    const alone = await world.add('off', { FEED: 'off' });
    expect([other.role, alone.role]).toEqual(['reader', 'standalone']);
    expect([other.rpc.met > 0, alone.rpc.met > 0]).toEqual([true, true]);
    expect(new Set([gateways[0], other, alone].map((each) => each?.id?.split('-')[0])).size).toBe(3);
  });
});

describe.skipIf(skipRedis)(`read-your-writes at a follower${NO_REDIS}`, () => {
  let world: FeedWorld;
  afterAll(() => world?.stop());

  it('makes the reader read', async () => {
    world = await FeedWorld.start(PATIENT);
    const reader = await world.add('reader', STILL);
    const follower = await world.add('follower', STILL);
    await until(() => follower.app.chain.state().trouble === null);
    const calls = await follower.settledCalls();
    world.localChain.advance(10);
    const { slot } = world.localChain;
    const answer = await follower.get('/kvaults/vaults', { 'x-min-slot': String(slot) });
    expect(answer.status).toBe(200);
    expect(BigInt(answer.headers.get('x-slot') ?? 0)).toBeGreaterThanOrEqual(slot);
    expect(follower.rpc.met).toBe(calls);
    expect(follower.id).toBe(reader.id);
    expect(world.witness.problems).toEqual([]);
  });
});
