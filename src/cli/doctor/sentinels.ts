import type { Redis } from 'ioredis';
import { z } from 'zod';
import { parseSentinelUrl, type SentinelAddress } from '../../redis/sentinel-address.ts';
import { Sentinels, sentinelProperties } from '../../redis/sentinels.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { counted } from './report.ts';
import { redisReason, withRedis } from './stores.ts';

/** Majority decisions survive the loss of one. */
const FEWEST_SENTINELS = 3;
/** A gateway reads for itself after five seconds, and a failover takes about two more than this. */
const MAX_DOWN_AFTER_MS = 3_000;
/** Flags of replicas that cannot become the master. */
const UNUSABLE = /s_down|o_down|disconnected/;

const REPLICAS = z.array(z.unknown());

/** What one sentinel knows. */
interface Knowledge {
  readonly client: Redis;
  /** `host:port`. */
  readonly master: string;
  readonly sentinels: number;
  readonly quorum: number;
  readonly downAfterMs: number;
  readonly usableReplicas: number;
}

/** Whether the Redis of a `redis+sentinel` URL has a master and could get another one. Nothing for other URLs. */
export async function checkSentinels(url: string | null, timeoutMs: number): Promise<Finding[]> {
  const address = url === null ? null : parseSentinelUrl(url);
  if (url === null || address === null) return [];
  const sentinels = new Sentinels(address);
  try {
    const asked = await Promise.allSettled(
      sentinels.clients.map((client) => sentinels.run(client, (each) => knowledgeOf(each, address))),
    );
    const known = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const [first] = known;
    if (first === undefined) {
      const failed = asked.find((each) => each.status === 'rejected');
      return [
        fault('redis', 'sentinels', `No sentinel helps: ${reasonOf(failed?.reason)}. Check REDIS_URL.`),
      ];
    }
    return [
      masterFinding(known, asked.length),
      await failoverFinding(first, address.name),
      durationFinding(known),
      await minReplicasFinding(url, timeoutMs),
    ];
  } finally {
    sentinels.close();
  }
}

async function knowledgeOf(client: Redis, { name }: SentinelAddress): Promise<Knowledge> {
  const [master, replicas] = await Promise.all([
    client.call('SENTINEL', 'MASTER', name),
    client.call('SENTINEL', 'REPLICAS', name),
  ]);
  const properties = sentinelProperties(master);
  const number = (property: string) => Number(properties.get(property) ?? 0);
  const usable = REPLICAS.parse(replicas)
    .map(sentinelProperties)
    .filter((each) => !UNUSABLE.test(each.get('flags') ?? '') && each.get('master-link-status') === 'ok');
  return {
    client,
    master: `${properties.get('ip')}:${properties.get('port')}`,
    sentinels: number('num-other-sentinels') + 1,
    quorum: number('quorum'),
    downAfterMs: number('down-after-milliseconds'),
    usableReplicas: usable.length,
  };
}

function masterFinding(known: readonly Knowledge[], asked: number): Finding {
  const masters = [...new Set(known.map(({ master }) => master))];
  const replicas = Math.max(...known.map(({ usableReplicas }) => usableReplicas));
  const figures = { sentinels: known.length, replicas };
  const answering = `${known.length} of ${counted(asked, 'sentinel')} in REDIS_URL`;
  if (masters.length > 1) {
    const says = `${answering} answer, and name different masters: ${masters.join(', ')}. During a failover this is over within seconds.`;
    return warning('redis', 'sentinels', says, figures);
  }
  const says = `${answering} answer: the master is ${masters.join()}, with ${counted(replicas, 'replica')} that could replace it.`;
  return known.length < asked
    ? warning('redis', 'sentinels', `${says} Start the others, or correct the list.`, figures)
    : ok('redis', 'sentinels', says, figures);
}

async function failoverFinding(
  { client, sentinels, quorum, usableReplicas }: Knowledge,
  name: string,
): Promise<Finding> {
  const figures = { sentinels, quorum };
  try {
    await client.call('SENTINEL', 'CKQUORUM', name);
  } catch (error) {
    // Its message has numbers and no addresses.
    const why = error instanceof Error ? error.message.replace(/^[A-Z]+ /, '') : reasonOf(error);
    return warning('redis', 'failover', `The sentinels could not replace the master: ${why}`, figures);
  }
  if (usableReplicas === 0)
    return warning('redis', 'failover', 'No replica could replace the master. Start one.', figures);
  if (sentinels < FEWEST_SENTINELS) {
    const says = `${counted(sentinels, 'sentinel')} watch the master: without one of them there is no majority for a failover. Run ${FEWEST_SENTINELS}.`;
    return warning('redis', 'failover', says, figures);
  }
  const says = `${counted(sentinels, 'sentinel')} watch the master; ${quorum} of them suffice to find it down.`;
  return ok('redis', 'failover', says, figures);
}

function durationFinding(known: readonly Knowledge[]): Finding {
  const downAfterMs = Math.max(...known.map((each) => each.downAfterMs));
  const figures = { downAfterMs };
  const says = `A master that does not answer is replaced after ${downAfterMs} ms (down-after-milliseconds).`;
  if (downAfterMs <= MAX_DOWN_AFTER_MS) return ok('redis', 'duration', says, figures);
  const advice = `All gateways read the chain for themselves when it takes longer than 5 seconds: 2000 avoids that.`;
  return warning('redis', 'duration', `${says} ${advice}`, figures);
}

/** Redis reports good replicas only where it requires some, also to users who may not read its settings. */
async function minReplicasFinding(url: string, timeoutMs: number): Promise<Finding> {
  try {
    const info = await withRedis(url, timeoutMs, (redis) => redis.info('replication'));
    if (/^min_slaves_good_slaves:/m.test(info))
      return ok('redis', 'min-replicas', 'A master without replicas refuses writes (min-replicas-to-write).');
    const says =
      'min-replicas-to-write is 0: a master that is cut off goes on accepting writes that the failover discards. Set it to 1, and min-replicas-max-lag to 10.';
    return warning('redis', 'min-replicas', says);
  } catch (error) {
    return fault('redis', 'min-replicas', `The master does not answer: ${redisReason(error)}.`);
  }
}

const reasonOf = (error: unknown): string =>
  String(error).includes('No such master') ? 'none knows a master of that name' : redisReason(error);
