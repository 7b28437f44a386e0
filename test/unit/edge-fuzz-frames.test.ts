import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { isAddress } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../packages/rpc-pool/test/support/scripted-rpc.ts';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import type { ChainAccount } from '../../src/chain/accounts/account-page.ts';
import type { OpenSocket, SocketEvents } from '../../src/chain/sources/frame-channel.ts';
import { connectSubscriptions } from '../../src/chain/sources/subscriptions.ts';
import { WebSocketSource } from '../../src/chain/sources/websocket.ts';
import { corpusOf, FUZZ_TIMEOUT_MS, fuzz, mutatedBytes, mutatedJson } from '../support/fuzz/edge-fuzz.ts';

const U64_END = 1n << 64n;
const SUBSCRIPTION = 7;
const SOUND = corpusOf('frames').find((frame) => frame.includes('pubkey')) ?? Buffer.alloc(0);

/** A source over an endpoint in memory, which accepts every subscription. */
async function listening() {
  const opened: SocketEvents[] = [];
  const announced: ChainAccount[] = [];
  const open: OpenSocket = (_, events) => {
    opened.push(events);
    queueMicrotask(events.onOpen);
    return {
      send(text) {
        const { id } = JSON.parse(text) as { readonly id?: string };
        const answer = JSON.stringify({ jsonrpc: '2.0', id, result: SUBSCRIPTION });
        // The library listens for the answer once it has sent.
        if (id !== undefined) setImmediate(() => events.onFrame(Buffer.from(answer)));
      },
      close: () => undefined,
    };
  };
  const source = new WebSocketSource({
    urls: ['ws://endpoint'],
    programs: MAINNET_PROGRAMS,
    commitment: 'confirmed',
    kinds: ['vault'],
    timer: new ManualClock(),
    connect: (url) => connectSubscriptions(url, open),
  });
  source.start({
    announce: (_, account) => announced.push(account),
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
  return { source, opened, announced };
}

describe('mutated frames of a WebSocket endpoint', () => {
  it(
    'announce an account, or nothing, or end the connection; the next frame or connection works',
    () =>
      fuzz(
        'frames',
        async (frame) => {
          const { source, opened, announced } = await listening();
          opened[0]?.onFrame(frame);
          // A connection that the frame ended ignores it.
          opened[0]?.onFrame(SOUND);
          await until(() => announced.length > 0 || (opened.length > 1 && source.connected));
          for (const { address, owner, lamports, data, slot } of announced) {
            expect([isAddress(address), isAddress(owner), data instanceof Uint8Array]).toEqual([
              true,
              true,
              true,
            ]);
            for (const u64 of [lamports, slot]) expect(u64 >= 0n && u64 < U64_END).toBe(true);
          }
          await source.stop();
        },
        fc.oneof(mutatedBytes(corpusOf('frames')), mutatedJson(corpusOf('frames'))),
      ),
    FUZZ_TIMEOUT_MS,
  );
});
