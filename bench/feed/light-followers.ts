import { parseArgs } from 'node:util';
import type { FeedChannel, Position } from '../../src/feed/feed-channel.ts';
import { FEED_TIMING } from '../../src/feed/feed-timing.ts';
import { decodeManifest, MANIFEST_FIELD } from '../../src/feed/position-parts.ts';
import { openFeed } from './fed-positions.ts';

/** What the process tells its parent a few times per second. */
export interface LightReport {
  readonly receivedBytes: number;
  /** Entries of the stream that the follower with the fewest has read. */
  readonly fewestEntries: number;
  /** Followers that have loaded the whole snapshot of positions since they were told to; null before. */
  readonly loaded: number | null;
}

/**
 * Many followers in one process: each has its own connections and sends the commands of a follower, in its order, but throws
 * away what it receives. On `load`, each loads the snapshot of positions.
 */
const { values } = parseArgs({
  options: {
    redis: { type: 'string', default: '' },
    rpc: { type: 'string', default: '' },
    followers: { type: 'string', default: '' },
  },
});
const { seal, open } = await openFeed(values.redis, values.rpc);
const REPORT_MS = 200;
let receivedBytes = 0;
let loaded: number | null = null;
const entries: number[] = [];

async function follow(channel: FeedChannel, index: number): Promise<never> {
  let position: Position | null = null;
  for (;;) {
    // A follower tries to get the lease before each read.
    const lease = await channel.acquire('bench');
    if (lease !== null) await channel.release(lease.token);
    if (position === null) {
      const snapshot = await channel.snapshotUnless(null);
      receivedBytes += snapshot?.message.length ?? 0;
      const [token = '0', sequence = '0'] = snapshot?.entry.split('-') ?? [];
      position = { token: BigInt(token), sequence: Number(sequence) };
    }
    for (const entry of await channel.entriesAfter(position, FEED_TIMING.tickMs)) {
      position = entry.position;
      receivedBytes += (entry.message?.length ?? 0) + (entry.positions?.length ?? 0);
      entries[index] = (entries[index] ?? 0) + 1;
    }
  }
}

async function load(channel: FeedChannel): Promise<void> {
  const manifest = await channel.readPositions(MANIFEST_FIELD);
  if (manifest === null) throw new Error('there is no snapshot of positions');
  const { parts } = decodeManifest(manifest.message, seal, manifest.entry);
  for (let index = 0; index < parts; index += 1) {
    const part = await patiently(() => channel.readPositions(String(index)));
    if (part?.entry !== manifest.entry) return await load(channel);
    receivedBytes += part.message.length;
  }
  loaded = (loaded ?? 0) + 1;
}

/** All load at once, so that a part may take longer than a command should. */
async function patiently<T>(read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

const channels = Array.from({ length: Number(values.followers) }, open);
for (const [index, channel] of channels.entries()) {
  entries.push(0);
  void follow(channel, index);
}
process.on('message', () => {
  loaded = 0;
  for (const channel of channels) void load(channel);
});
setInterval(() => {
  const report: LightReport = { receivedBytes, fewestEntries: Math.min(...entries), loaded };
  process.send?.(report);
}, REPORT_MS);
