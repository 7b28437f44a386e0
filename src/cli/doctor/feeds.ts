import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Config } from '../../config/config.ts';
import { parseProgress } from '../../feed/feed-channel.ts';
import { feedKeys, KEY_PREFIX } from '../../feed/feed-keys.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { counted, sizeText } from './report.ts';
import { redisReason, withRedis } from './stores.ts';

const KEYS = z.array(z.string());

/** The feeds in Redis over which gateways share Views: who reads, how old the newest View is, and their size. */
export async function checkFeeds(config: Config): Promise<Finding[]> {
  const { REDIS_URL: url, RPC_TIMEOUT_MS: timeoutMs } = config;
  if (url === null || config.embedded || config.FEED === 'off')
    return [ok('feed', 'shared', 'Views are not shared: each gateway reads the chain for itself.')];
  try {
    return await withRedis(url, timeoutMs, async (redis) => {
      const names = await feedsIn(redis);
      if (names.length > 0) return await Promise.all(names.map((name) => examineFeed(redis, name)));
      return [
        ok('feed', 'shared', 'No gateway shares Views yet: the first one to start will read the chain.'),
      ];
    });
  } catch (error) {
    return [fault('feed', 'shared', `The feed cannot be examined: ${redisReason(error)}.`)];
  }
}

async function feedsIn(redis: Redis): Promise<readonly string[]> {
  const names = new Set<string>();
  for await (const keys of redis.scanStream({ match: `${KEY_PREFIX}{*}:head` }))
    for (const key of KEYS.parse(keys)) {
      const [, name] = /\{(.*)\}/.exec(key) ?? [];
      if (name !== undefined) names.add(name);
    }
  return [...names].sort();
}

async function examineFeed(redis: Redis, name: string): Promise<Finding> {
  const keys = feedKeys(name);
  const [lease, holder, text, entries, streamBytes, snapshotBytes] = await Promise.all([
    redis.get(keys.lease),
    redis.hget(keys.head, 'holder'),
    redis.hget(keys.head, 'progress'),
    redis.xlen(keys.views),
    redis.call('MEMORY', 'USAGE', keys.views),
    redis.call('MEMORY', 'USAGE', keys.snapshot),
  ]);
  const bytes = Number(streamBytes ?? 0) + Number(snapshotBytes ?? 0);
  const size = `${counted(entries, 'View')} in the stream, ${sizeText(bytes)} with the snapshot`;
  const progress = text === null ? null : parseProgress(text);
  const lagMs = progress === null ? 0 : Math.max(0, Date.now() - progress.builtAtMs);
  const figures = { entries, bytes, lagMs };
  if (lease === null) {
    const says = `Nobody reads for ${name}: its gateways have stopped or cannot read the chain. ${size}.`;
    return warning('feed', 'shared', says, figures);
  }
  const age = progress === null ? 'no View yet' : `newest View ${(lagMs / 1000).toFixed(1)} s old`;
  return ok('feed', 'shared', `${holder} reads for ${name}: ${age}, ${size}.`, figures);
}
