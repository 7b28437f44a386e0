import type { FleetGateway } from '../feed/fleet.ts';
import type { Worker } from '../peers/processes.ts';
import type { ChainProgress, StreamedChain } from './chain-process.ts';
import type { CountedStream } from './counted-stream.ts';
import { EventTimes } from './event-times.ts';
import { GatewayMetrics } from './gateway-metrics.ts';
import type { Movement, WatchedWrite } from './peopled-chain.ts';

/** What is measured: the gateway that reads the stream, and one that follows it over Redis. */
export interface StreamedGateways {
  readonly chain: Worker<StreamedChain>;
  readonly stream: CountedStream;
  readonly reader: FleetGateway;
  readonly follower: FleetGateway;
}

/** Some seconds of a chain that moves at one rate. */
export interface Steady {
  readonly movement: Movement;
  readonly seconds: number;
  readonly slots: number;
  readonly changes: number;
  readonly streamBytes: number;
  /** Of both gateways. */
  readonly rpcBytes: number;
  readonly rpcCalls: number;
  readonly feedBytes: number;
  readonly readerCpuSeconds: number;
  readonly followerCpuSeconds: number;
  readonly readerBytes: number;
  readonly followerBytes: number;
  readonly views: number;
  /** Milliseconds from a write to the event, for a client of each gateway. */
  readonly readerEventsMs: readonly number[];
  readonly followerEventsMs: readonly number[];
  /** Writes without an event. */
  readonly missed: number;
}

const SETTLE_MS = 5_000;
/** More than an event may take, so that writes without one are told apart. */
const LAST_EVENTS_MS = 5_000;

export async function measureSteady(
  { chain, stream, reader, follower }: StreamedGateways,
  movement: Movement,
  watched: readonly string[],
  seconds: number,
): Promise<Steady> {
  await chain.ask('move', movement);
  await chain.ask('watch', watched);
  const clients = [
    await EventTimes.open(reader.url, watched),
    await EventTimes.open(follower.url, watched),
  ] as const;
  await pause(SETTLE_MS);
  const take = async () => ({
    at: performance.now(),
    chain: await chain.ask<ChainProgress>('progress'),
    streamBytes: stream.bytes,
    reader: await GatewayMetrics.of(reader.url),
    follower: await GatewayMetrics.of(follower.url),
  });
  await chain.ask('writes');
  const before = await take();
  await pause(seconds * 1e3);
  const after = await take();
  const writes = await chain.ask<WatchedWrite[]>('writes');
  await pause(LAST_EVENTS_MS);
  const [ofReader, ofFollower] = clients.map((client) => client.latencies(writes));
  for (const client of clients) client.close();
  const grown = (name: 'reader' | 'follower', of: (metrics: GatewayMetrics) => number) =>
    of(after[name]) - of(before[name]);
  const ofBoth = (of: (metrics: GatewayMetrics) => number) => grown('reader', of) + grown('follower', of);
  return {
    movement,
    seconds: (after.at - before.at) / 1e3,
    slots: after.chain.slot - before.chain.slot,
    changes: after.chain.changes - before.chain.changes,
    streamBytes: after.streamBytes - before.streamBytes,
    rpcBytes: ofBoth((metrics) => metrics.rpcBytes),
    rpcCalls: ofBoth((metrics) => metrics.rpcCalls),
    feedBytes: grown('reader', (metrics) => metrics.sum('sluice_feed_bytes_total', 'sent')),
    readerCpuSeconds: grown('reader', (metrics) => metrics.cpuSeconds),
    followerCpuSeconds: grown('follower', (metrics) => metrics.cpuSeconds),
    readerBytes: after.reader.residentBytes,
    followerBytes: after.follower.residentBytes,
    views: grown('reader', (metrics) => metrics.sum('sluice_view_number')),
    readerEventsMs: ofReader?.ms ?? [],
    followerEventsMs: ofFollower?.ms ?? [],
    missed: (ofReader?.missed ?? 0) + (ofFollower?.missed ?? 0),
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
