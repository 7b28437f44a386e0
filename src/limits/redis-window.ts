import type { Redis } from 'ioredis';
import { type Decision, type Payer, WINDOW_SECONDS } from './window.ts';

/**
 * Each client is one hash: second -> cost spent in it. Redis runs the script atomically and by its own clock,
 * so gateways with different clocks agree. Seconds in the future stem from a clock that was set back and are
 * dropped.
 */
const SCRIPT = `
local time = redis.call('TIME')
local second = tonumber(time[1])
local now = second + tonumber(time[2]) / 1000000
local limit, cost, already = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local window, forced = tonumber(ARGV[4]), ARGV[5] == '1'
local fields = redis.call('HGETALL', KEYS[1])
local total, spent, gone = 0, {}, {}
for i = 1, #fields, 2 do
  local at, amount = tonumber(fields[i]), tonumber(fields[i + 1])
  if at < second - window or at > second then
    gone[#gone + 1] = fields[i]
  else
    total = total + amount
    spent[#spent + 1] = { at, amount }
  end
end
if #gone > 0 then redis.call('HDEL', KEYS[1], unpack(gone)) end
local function free_at(at) return math.ceil(at + window + 1 - now) end
if forced or total + cost <= limit then
  if cost > 0 then
    redis.call('HINCRBY', KEYS[1], second, cost)
    redis.call('EXPIRE', KEYS[1], window + 2)
  end
  local left = math.max(0, limit - total - cost)
  return { 1, left, 0, (total + cost > 0) and free_at(second) or 0 }
end
table.sort(spent, function(a, b) return a[1] < b[1] end)
local left_over, retry = total, 0
for _, each in ipairs(spent) do
  left_over = left_over - each[2]
  retry = free_at(each[1])
  if left_over <= limit - cost - already then break end
end
local newest = spent[#spent]
return { 0, math.max(0, limit - total), retry, newest and free_at(newest[1]) or 0 }
`;

const PREFIX = 'sluice:spent:';

interface ScriptedRedis extends Redis {
  sluiceSpend(key: string, ...args: (string | number)[]): Promise<[number, number, number, number]>;
}

/** A rate-limit window shared by several gateways. Methods reject when the connection fails. */
export class RedisWindow {
  readonly #redis: ScriptedRedis;
  readonly #windowSeconds: number;

  constructor(redis: Redis, windowSeconds: number = WINDOW_SECONDS) {
    redis.defineCommand('sluiceSpend', { numberOfKeys: 1, lua: SCRIPT });
    this.#redis = redis as ScriptedRedis;
    this.#windowSeconds = windowSeconds;
  }

  async spend(payer: Payer, cost: number, already = 0): Promise<Decision> {
    return await this.#run(payer, cost, already, false);
  }

  async charge(payer: Payer, cost: number): Promise<void> {
    await this.#run(payer, cost, 0, true);
  }

  async #run({ id, limit }: Payer, cost: number, already: number, forced: boolean): Promise<Decision> {
    const [admitted, remaining, retryAfter, resetAfter] = await this.#redis.sluiceSpend(
      `${PREFIX}${id}`,
      limit,
      cost,
      already,
      this.#windowSeconds,
      forced ? 1 : 0,
    );
    return { admitted: admitted === 1, remaining, retryAfter, resetAfter };
  }
}
