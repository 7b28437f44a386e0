import { createConnection, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { type LiveApp, testApp } from '../support/apps/chain-app.ts';
import { EventStream } from '../support/http/event-stream.ts';

const CLIENTS = 200;
const QUERY = `subscription Page($reserves: [Address!]!) {
  reserves(addresses: $reserves) { slot reason reserve { supplied { usd } supplyApy { total } market { name } } }
}`;

let live: LiveApp;
beforeAll(async () => {
  live = await testApp({ live: true, env: { MAX_STREAMS_PER_CLIENT: '1000', STREAM_STALL_MS: '600000' } });
});
afterAll(() => live?.stop());

const variables = () => ({ reserves: [live.localChain.addresses.reserve] });

describe('clients with the same subscription', () => {
  it('share one execution per View and get the same bytes', async () => {
    // Whitespace does not make another subscription.
    const written = [QUERY, QUERY.replaceAll(/\s+/g, ' ')];
    const clients = await Promise.all(
      Array.from({ length: CLIENTS }, (_, i) =>
        EventStream.open<object>(live.site.origin, written[i % 2] ?? QUERY, { variables: variables() }),
      ),
    );
    await Promise.all(clients.map((client) => client.nextData()));
    expect(await live.metric('sluice_streams_open')).toBe(CLIENTS);
    expect(await live.metric('sluice_stream_channels_open')).toBe(1);
    const snapshots = await live.metric('sluice_stream_executions_total');
    expect(snapshots).toBe(1);
    for (const client of clients) client.text = '';
    for (let round = 1; round <= 5; round += 1) {
      await live.advance();
      await Promise.all(clients.map((client) => client.nextData()));
      expect(await live.metric('sluice_stream_executions_total')).toBe(snapshots + round);
    }
    const texts = new Set(clients.map(({ text }) => text));
    expect(texts.size).toBe(1);
    expect([...texts][0]?.match(/event: next/g)).toHaveLength(5);
    for (const client of clients) client.close();
    await until(() => live.app.live.streams === 0);
    expect(live.app.live.channels).toBe(0);
  });

  it('cause no execution after the last one disconnects', async () => {
    const client = await EventStream.open(live.site.origin, QUERY, { variables: variables() });
    await client.nextData();
    client.close();
    await until(() => live.app.live.channels === 0);
    const before = await live.metric('sluice_stream_executions_total');
    for (let i = 0; i < 3; i += 1) await live.advance();
    expect(await live.metric('sluice_stream_executions_total')).toBe(before);
  });

  it('have separate channels for different variables', async () => {
    const reserves = live.localChain.worldChain.world.reserves.map(({ address }) => address).slice(0, 2);
    const clients = await Promise.all(
      reserves.map((reserve) =>
        EventStream.open(live.site.origin, QUERY, { variables: { reserves: [reserve] } }),
      ),
    );
    await Promise.all(clients.map((client) => client.nextData()));
    expect(live.app.live.channels).toBe(2);
    for (const client of clients) client.close();
    await until(() => live.app.live.channels === 0);
  });
});

/** A client that sends a request and never reads. */
function stalledClient(origin: string, body: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = createConnection({ host: hostname, port: Number(port) }, () => {
      socket.pause();
      socket.write(
        `POST /graphql HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\naccept: text/event-stream\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      resolve(socket);
    });
  });
}

const superseded = () => live.metric('sluice_stream_superseded_total');

describe('a client that does not read', () => {
  // Events of a megabyte fill the socket buffer quickly.
  const large = Array.from({ length: 90 }, (_, i) => `a${i}: accountData`).join(' ');
  const query = `subscription Large($r: Address!) { reserves(addresses: [$r]) { reserve { ${large} } } }`;

  it('causes no buffering and does not delay other clients', async () => {
    const largeVariables = { r: live.localChain.addresses.reserve };
    const reader = await EventStream.open<object>(live.site.origin, query, { variables: largeVariables });
    await reader.nextData();
    const body = JSON.stringify({ query, variables: largeVariables });
    const socket = await stalledClient(live.site.origin, body);
    await until(() => live.app.live.streams === 2);
    // While it does not read, newer events supersede older ones.
    for (let round = 0; round < 500 && (await superseded()) === 0; round += 1) {
      await live.advance();
      await reader.nextData();
      reader.text = '';
    }
    expect(await superseded()).toBeGreaterThan(0);
    expect(live.app.live.streams).toBe(2);
    socket.destroy();
    reader.close();
    await until(() => live.app.live.streams === 0);
  });

  it('is disconnected', async () => {
    const impatient = await testApp({ live: true, env: { STREAM_STALL_MS: '1500' } });
    try {
      const body = JSON.stringify({ query, variables: { r: impatient.localChain.addresses.reserve } });
      const socket = await stalledClient(impatient.site.origin, body);
      await until(() => impatient.app.live.streams === 1);
      while (impatient.app.live.streams === 1) await impatient.advance();
      expect(await impatient.metric('sluice_streams_ended_total{why="stalled"}')).toBe(1);
      expect(await impatient.metric('sluice_streams_ended_total')).toBe(1);
      socket.destroy();
    } finally {
      await impatient.stop();
    }
  });
});
