import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { afterEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { ManualClock } from '../../packages/rpc-pool/test/support/scripted-rpc.ts';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { MAX_FRAME_BYTES } from '../../src/chain/sources/frame-channel.ts';
import { WebSocketSource } from '../../src/chain/sources/websocket.ts';

const ADDRESS = MAINNET_PROGRAMS.klend;

function notification(data: string): string {
  const account = { owner: ADDRESS, lamports: 1, data: [data, 'base64'] };
  const result = { context: { slot: 5 }, value: { pubkey: ADDRESS, account } };
  return JSON.stringify({
    jsonrpc: '2.0',
    method: 'programNotification',
    params: { subscription: 7, result },
  });
}

/** A source over an endpoint that accepts every subscription. */
async function listening() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const sockets: WebSocket[] = [];
  server.on('connection', (socket) => {
    sockets.push(socket);
    socket.on('message', (message) => {
      const { id } = JSON.parse(String(message)) as { readonly id?: string };
      if (id !== undefined) socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: 7 }));
    });
  });
  await once(server, 'listening');
  const announced: number[] = [];
  const timer = new ManualClock();
  const source = new WebSocketSource({
    urls: [`ws://127.0.0.1:${(server.address() as AddressInfo).port}`],
    programs: MAINNET_PROGRAMS,
    commitment: 'confirmed',
    kinds: ['vault'],
    timer,
  });
  source.start({
    announce: (_, { data }) => announced.push(data.length),
    connectionChanged: () => undefined,
    slotDelivered: () => undefined,
    refreshNow: () => undefined,
    refreshAllNow: () => undefined,
    positionsLoaded: async () => undefined,
    positionChanged: () => undefined,
    positionsLost: () => undefined,
    refresh: async () => true,
  });
  await until(() => source.connected);
  return { server, sockets, announced, source };
}

let open: Awaited<ReturnType<typeof listening>> | undefined;
afterEach(async () => {
  await open?.source.stop();
  open?.server.close();
});

describe('a connection to a WebSocket endpoint', () => {
  it('stays open with messages of any legitimate size, and with those that are not for us', async () => {
    open = await listening();
    const { sockets, announced } = open;
    for (const frame of [
      notification('A'.repeat(400_000)),
      '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":null}',
      '{"jsonrpc":"2.0","method":"slotNotification","params":null}',
      notification('AAAA'),
    ])
      sockets[0]?.send(frame);
    await until(() => announced.length === 2);
    expect(announced).toEqual([300_000, 3]);
    expect(sockets).toHaveLength(1);
  });

  it.each([
    ['a message above the limit', notification('A'.repeat(MAX_FRAME_BYTES))],
    ['no JSON', '{'],
    ['no object', 'null'],
    ['deep nesting', '['.repeat(500_000)],
    ['a notification without contents', '{"jsonrpc":"2.0","method":"programNotification"}'],
    ['a notification of no address', notification('AAAA').replaceAll(ADDRESS, 'x')],
    ['a refusal', '{"jsonrpc":"2.0","id":"9","error":{"code":-32002,"message":"no"}}'],
  ])('ends with %s, and the next one begins', async (_, frame) => {
    open = await listening();
    const { sockets, announced, source } = open;
    sockets[0]?.send(frame);
    await until(() => sockets.length === 2 && source.connected);
    sockets[1]?.send(notification('AAAA'));
    await until(() => announced.length > 0);
    expect(announced).toEqual([3]);
  });
});
