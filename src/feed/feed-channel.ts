import type { Redis } from 'ioredis';
import { z } from 'zod';
import { createRedis } from '../redis/create-redis.ts';
import { type Ask, askFields, parseAsk } from './ask.ts';
import { feedKeys, KEY_TYPES } from './feed-keys.ts';
import {
  ACQUIRE,
  DELETE_OTHER_TYPES,
  PUBLISH_CHANGES,
  PUBLISH_WHOLE,
  RELEASE,
  RENEW,
  REPLACE_SNAPSHOT,
  WRITE_POSITIONS,
} from './feed-scripts.ts';
import type { FeedSeal } from './feed-seal.ts';

/** Place of a View in the feed. A later reader has a higher token. */
export interface Position {
  readonly token: bigint;
  readonly sequence: number;
}

/** Slot and time of the newest View, for the next reader. Slots and Unix seconds. */
export interface Progress {
  readonly slot: bigint;
  readonly timestamp: bigint;
  readonly highestSlot: bigint;
  /** Milliseconds since the epoch, by the clock of the reader. */
  readonly builtAtMs: number;
}

export interface Lease {
  readonly token: bigint;
  /** Null when no View has been published, or too long ago, and when it is not genuine. */
  readonly progress: Progress | null;
}

/** A View in the stream: its changes, or null when followers have to take the snapshot. */
export interface Entry {
  readonly position: Position;
  readonly message: Buffer | null;
  /** Changes of positions since the View before; null when there are none, or they have to be loaded. */
  readonly positions: Buffer | null;
}

/** A whole View. */
export interface Snapshot {
  /** Id of its entry in the stream. */
  readonly entry: string;
  readonly message: Buffer;
}

/**
 * Result of publishing changes. `DEPOSED`: another process reads by now. `ALTERED`: the stream does not end with our last
 * View, because something else wrote to it. `LOST`: our last View is gone, as after a failover of Redis.
 */
export type Published = 'ACCEPTED' | 'DEPOSED' | 'ALTERED' | 'LOST';

/** Replies of the script. */
const PUBLISHED: Readonly<Record<number, Published>> = { 1: 'ACCEPTED', 2: 'ALTERED', 3: 'LOST' };

export interface FeedChannelOptions {
  readonly url: string;
  /** Gateways with the same name share their Views. */
  readonly name: string;
  /** Seals progress and requests of followers. Those without a valid tag are ignored. */
  readonly seal: FeedSeal;
  readonly leaseMs: number;
  /** A command without an answer fails after this time. */
  readonly timeoutMs: number;
  /** Entries in the stream unless a reader wants more. A follower that is further behind takes the snapshot. */
  readonly maxEntries: number;
}

/** Feeds without a reader are removed after a day. */
const RETENTION_SECONDS = 86_400;
const ENTRIES_PER_READ = 16;
const MAX_ASKS = 64;
const DAY_MS = 86_400_000;
const NOTHING = Buffer.alloc(0);
const MAX_RETRY_MS = 500;
/** A connection whose commands time out is reopened. */
const DEAD_AFTER_MS = 5_000;

const digits = z.string().regex(/^\d{1,20}$/);
const ACQUIRED = z.tuple([digits.transform(BigInt), z.string()]).nullable();
const PROGRESS = z.object({
  slot: digits.transform(BigInt),
  timestamp: digits.transform(BigInt),
  highestSlot: digits.transform(BigInt),
  builtAtMs: z.number(),
});
const SEALED_PROGRESS = z.object({ progress: z.string(), tag: z.string() });
const STREAM = z.array(z.tuple([z.instanceof(Buffer), z.array(z.instanceof(Buffer))]));
const ENTRIES = z.array(z.tuple([z.unknown(), STREAM])).nullable();

const sealedProgress = (text: string) => SEALED_PROGRESS.parse(JSON.parse(text));

/** Progress as the head of a feed stores it; null when it is malformed or of another format. Its tag is not checked. */
export function parseProgress(text: string): Progress | null {
  try {
    return PROGRESS.parse(JSON.parse(sealedProgress(text).progress));
  } catch {
    return null;
  }
}

/** A feed in Redis. Methods reject when Redis cannot be reached or does not answer in time. */
export class FeedChannel {
  readonly #options: FeedChannelOptions;
  readonly #keys: ReturnType<typeof feedKeys>;
  readonly #redis: Redis;
  /** Reads that wait for entries hold up their connection, so they have their own. */
  readonly #waiting: Redis;
  /** Replies of megabytes must not delay others either. Connected when it is first needed. */
  readonly #bulk: Redis;
  readonly #connecting = new Map<Redis, Promise<void>>();

  constructor(options: FeedChannelOptions) {
    this.#options = options;
    this.#keys = feedKeys(options.name);
    this.#redis = this.#connection();
    this.#waiting = this.#connection();
    this.#bulk = this.#connection();
  }

  /** Entries that the stream has unless a reader wants more. */
  get maxEntries(): number {
    return this.#options.maxEntries;
  }

  /**
   * Takes the lease; null while another process holds it. The token is higher than `above`, the highest one that this
   * process has seen. A lease with a lower one is outdated: Redis has lost the later one in a failover.
   */
  async acquire(holder: string, above = 0n): Promise<Lease | null> {
    const { lease, token, head } = this.#keys;
    const args = [this.#options.leaseMs, holder, RETENTION_SECONDS, String(above)];
    const reply = await this.#eval(ACQUIRE, [lease, token, head], args);
    const acquired = ACQUIRED.parse(reply);
    if (acquired === null) return null;
    const [given, progress] = acquired;
    return { token: given, progress: this.#genuineProgress(progress) };
  }

  /** Null when there is none, or it was not written by a gateway with the same secret. */
  #genuineProgress(text: string): Progress | null {
    try {
      const { progress, tag } = sealedProgress(text);
      const isGenuine = this.#options.seal.isGenuine(Buffer.from(tag, 'hex'), 'progress', progress);
      return isGenuine ? parseProgress(text) : null;
    } catch {
      return null;
    }
  }

  /** False when the lease is no longer ours. */
  async renew(token: bigint): Promise<boolean> {
    return (await this.#eval(RENEW, [this.#keys.lease], [String(token), this.#options.leaseMs])) === 1;
  }

  /** Renews the lease while work is under way that may outlast it. A failure shows when the lease is renewed next. */
  async holdDuring<T>(token: bigint, work: Promise<T>, everyMs: number): Promise<T> {
    const timer = setInterval(() => void this.renew(token).catch(() => undefined), everyMs);
    try {
      return await work;
    } finally {
      clearInterval(timer);
    }
  }

  async release(token: bigint): Promise<void> {
    await this.#eval(RELEASE, [this.#keys.lease], [String(token)]);
  }

  /** Publishes the changes of a View, and of positions if it has any. Leaves so many of the newest entries in the stream. */
  async publishChanges(
    { token, sequence }: Position,
    progress: Progress,
    message: Buffer,
    positions: Buffer | null = null,
    entries = this.#options.maxEntries,
  ): Promise<Published> {
    const { lease, views, head, snapshot } = this.#keys;
    const reply = await this.#eval(
      PUBLISH_CHANGES,
      [lease, views, head, snapshot],
      [
        String(token),
        `${token}-${sequence}`,
        `${token}-${sequence - 1}`,
        this.#progressText(progress),
        message,
        positions ?? NOTHING,
        entries,
        RETENTION_SECONDS,
      ],
    );
    return PUBLISHED[Number(reply)] ?? 'DEPOSED';
  }

  /** Publishes a View with all its accounts, and changes of positions. False when another process reads by now. */
  async publishWhole(
    { token, sequence }: Position,
    progress: Progress,
    message: Buffer,
    positions: Buffer | null = null,
  ): Promise<boolean> {
    const { lease, views, head, snapshot } = this.#keys;
    const reply = await this.#eval(
      PUBLISH_WHOLE,
      [lease, views, head, snapshot],
      [
        String(token),
        `${token}-${sequence}`,
        this.#progressText(progress),
        message,
        positions ?? NOTHING,
        RETENTION_SECONDS,
      ],
    );
    return reply === 1;
  }

  /** Replaces the snapshot by a View that has been published. False when another process reads by now. */
  async replaceSnapshot({ token, sequence }: Position, message: Buffer): Promise<boolean> {
    const { lease, snapshot } = this.#keys;
    const args = [String(token), `${token}-${sequence}`, message, RETENTION_SECONDS];
    return (await this.#eval(REPLACE_SNAPSHOT, [lease, snapshot], args)) === 1;
  }

  /** Writes a field of the snapshot of positions of a View. False when another process reads by now. */
  async writePositions({ token, sequence }: Position, field: string, bytes: Buffer): Promise<boolean> {
    const { lease, positions } = this.#keys;
    const args = [String(token), `${token}-${sequence}`, field, bytes, RETENTION_SECONDS];
    return (await this.#eval(WRITE_POSITIONS, [lease, positions], args)) === 1;
  }

  /** A field of the snapshot of positions, with the entry that it stands for; null when there is none. */
  async readPositions(field: string): Promise<Snapshot | null> {
    const [entry, message] = await this.#on(this.#bulk, (redis) =>
      redis.hmgetBuffer(this.#keys.positions, 'entry', field),
    );
    return entry && message ? { entry: entry.toString(), message } : null;
  }

  /** The snapshot and the entry that it stands for; null when there is none, or only the known one. */
  async snapshotUnless(known: string | null): Promise<Snapshot | null> {
    const key = this.#keys.snapshot;
    return await this.#on(this.#redis, async (redis) => {
      if ((await redis.hget(key, 'entry')) === known) return null;
      const [entry, message] = await redis.hmgetBuffer(key, 'entry', 'message');
      return entry && message ? { entry: entry.toString(), message } : null;
    });
  }

  /** Entries after a position. Waits for up to `blockMs` if there are none. */
  async entriesAfter({ token, sequence }: Position, blockMs: number): Promise<readonly Entry[]> {
    return (await this.#read(this.#keys.views, `${token}-${sequence}`, blockMs)).map(entryOf);
  }

  /** The oldest entries after a position, up to another one. */
  async entriesBetween(after: Position, upTo: Position): Promise<readonly Entry[]> {
    const [first, last] = [`(${after.token}-${after.sequence}`, `${upTo.token}-${upTo.sequence}`];
    const reply = await this.#on(this.#redis, (redis) =>
      redis.callBuffer('XRANGE', this.#keys.views, first, last, 'COUNT', ENTRIES_PER_READ),
    );
    return STREAM.parse(reply).map(fieldsOf).map(entryOf);
  }

  /** Asks the reader. Only the newest questions are retained. */
  async ask(ask: Ask): Promise<void> {
    const fields = askFields(ask, this.#options.seal);
    await this.#on(this.#redis, async (redis) => {
      await redis.xadd(this.#keys.asks, 'MAXLEN', MAX_ASKS, '*', ...fields);
      await redis.expire(this.#keys.asks, RETENTION_SECONDS);
    });
  }

  /** Genuine questions after an entry of their stream. Waits for up to `blockMs` if there are none. */
  async asksAfter(
    last: string,
    blockMs: number,
  ): Promise<{ readonly last: string; readonly asks: readonly Ask[] }> {
    const entries = await this.#read(this.#keys.asks, last, blockMs);
    // No later id could be added after one from the future, so such a stream is of no more use.
    const isFromFuture = entries.some(({ id }) => Number(id.split('-')[0]) > Date.now() + DAY_MS);
    if (isFromFuture) await this.#on(this.#redis, (redis) => redis.del(this.#keys.asks));
    if (isFromFuture) return { last, asks: [] };
    return {
      last: entries.at(-1)?.id ?? last,
      asks: entries.flatMap(({ fields }) => parseAsk(fields, this.#options.seal) ?? []),
    };
  }

  close(): void {
    this.#redis.disconnect();
    this.#waiting.disconnect();
    this.#bulk.disconnect();
  }

  #progressText({ slot, timestamp, highestSlot, builtAtMs }: Progress): string {
    const progress = JSON.stringify({
      slot: String(slot),
      timestamp: String(timestamp),
      highestSlot: String(highestSlot),
      builtAtMs,
    });
    return JSON.stringify({ progress, tag: this.#options.seal.tag('progress', progress).toString('hex') });
  }

  #connection(): Redis {
    const { url, timeoutMs } = this.#options;
    const redis = createRedis(url, {
      protocol: 2,
      lazyConnect: true,
      connectTimeout: timeoutMs,
      socketTimeout: DEAD_AFTER_MS,
      // Commands must not queue while disconnected: a late one could act on outdated state.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (attempt) => Math.min(attempt * 50, MAX_RETRY_MS),
    });
    // Failures reach the commands. Without a listener they would be printed, with the address of Redis.
    redis.on('error', () => undefined);
    return redis;
  }

  async #eval(
    script: string,
    keys: readonly string[],
    args: readonly (string | number | Buffer)[],
  ): Promise<unknown> {
    return await this.#on(this.#redis, (redis) => redis.eval(script, keys.length, ...keys, ...args));
  }

  async #read(key: string, after: string, blockMs: number) {
    const reply = await this.#on(
      this.#waiting,
      (redis) =>
        redis.callBuffer('XREAD', 'COUNT', ENTRIES_PER_READ, 'BLOCK', blockMs, 'STREAMS', key, after),
      blockMs,
    );
    const [stream] = ENTRIES.parse(reply) ?? [];
    return (stream?.[1] ?? []).map(fieldsOf);
  }

  /** Runs commands on a connection, which is opened first if need be. */
  async #on<T>(redis: Redis, run: (redis: Redis) => Promise<T>, blockMs = 0): Promise<T> {
    const work = async () => {
      // The client reconnects by itself after the first time.
      const connecting = this.#connecting.get(redis) ?? redis.connect();
      this.#connecting.set(redis, connecting);
      await connecting.catch((failure: unknown) => {
        if (redis.status !== 'ready') throw failure;
      });
      try {
        return await run(redis);
      } catch (failure) {
        // Something else wrote to a key. Left alone, it would fail every command until an operator deletes it.
        if (!String(failure).includes('WRONGTYPE')) throw failure;
        const keys = Object.values(this.#keys);
        await redis.eval(DELETE_OTHER_TYPES, keys.length, ...keys, ...KEY_TYPES);
        return await run(redis);
      }
    };
    return await withTimeout(work(), this.#options.timeoutMs + blockMs);
  }
}

interface StreamEntry {
  readonly id: string;
  readonly fields: ReadonlyMap<string, Buffer>;
}

function fieldsOf([id, values]: z.infer<typeof STREAM>[number]): StreamEntry {
  const fields = new Map<string, Buffer>();
  for (let i = 0; i + 1 < values.length; i += 2) {
    const [name, value] = [values[i], values[i + 1]];
    if (name !== undefined && value !== undefined) fields.set(name.toString(), value);
  }
  return { id: id.toString(), fields };
}

function entryOf({ id, fields }: StreamEntry): Entry {
  const [first = '', second = ''] = id.split('-');
  const positions = fields.get('positions');
  return {
    position: { token: BigInt(first), sequence: Number(second) },
    message: fields.get('changes') ?? null,
    positions: positions === undefined || positions.length === 0 ? null : positions,
  };
}

/** The work goes on after the time limit; its result is dropped. */
function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Redis did not reply in time')), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
