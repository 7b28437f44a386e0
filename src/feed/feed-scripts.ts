/**
 * Lua scripts of the feed. Redis runs each atomically. Every write checks that the writer holds the lease, so a reader
 * that was paused and replaced cannot add anything.
 */

/**
 * Takes the lease if nobody holds it, or with a lower token than the caller has seen. Returns the fencing token and the
 * progress of the newest View, or nothing. Tokens come from the clock, so that they rise even after Redis has lost its data.
 * After a failover the clock is another one, so they are also higher than the last one that Redis or the caller knows. One
 * that is a day ahead of the clock is not one of ours and is ignored.
 *
 * KEYS: lease, token, head. ARGV: ttl (ms), name of the holder, retention (s), highest token that the caller has seen.
 */
export const ACQUIRE = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local function token_in(text)
  local token = tonumber(text or '0') or 0
  return token > now + 86400000000 and 0 or token
end
local seen = token_in(ARGV[4])
local held = redis.call('GET', KEYS[1])
if held and (tonumber(held) or seen) >= seen then return false end
local last = math.max(seen, token_in(redis.call('GET', KEYS[2])))
local token = string.format('%.0f', math.max(now, last + 1))
redis.call('HSET', KEYS[3], 'holder', ARGV[2])
redis.call('EXPIRE', KEYS[3], ARGV[3])
redis.call('SET', KEYS[2], token, 'EX', ARGV[3])
redis.call('SET', KEYS[1], token, 'PX', ARGV[1])
return { token, redis.call('HGET', KEYS[3], 'progress') or '' }
`;

/**
 * Deletes keys of another type than ours, on which every command would fail. KEYS: any. ARGV: the type of each.
 */
export const DELETE_OTHER_TYPES = `
for i = 1, #KEYS do
  if redis.call('TYPE', KEYS[i])['ok'] ~= ARGV[i] then redis.call('DEL', KEYS[i]) end
end
`;

/** KEYS: lease. ARGV: token, ttl (ms). */
export const RENEW = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
`;

/** KEYS: lease. ARGV: token. */
export const RELEASE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
`;

/**
 * Appends a View that changes the one before it. Returns 2 when the newest entry is not the one that the writer expects, and
 * 3 when that one is missing.
 *
 * KEYS: lease, views, head, snapshot. ARGV: token, entry, previous entry, progress, message, changes of positions (empty for
 * none), most entries, retention (s).
 */
export const PUBLISH_CHANGES = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
local newest = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
if newest == nil then return 3 end
if newest[1] ~= ARGV[3] then
  local has_token, has_sequence = string.match(newest[1], '(%d+)-(%d+)')
  local token, sequence = string.match(ARGV[3], '(%d+)-(%d+)')
  local behind = tonumber(has_token) - tonumber(token)
  if behind == 0 then behind = tonumber(has_sequence) - tonumber(sequence) end
  return behind < 0 and 3 or 2
end
redis.call('XADD', KEYS[2], 'MAXLEN', ARGV[7], ARGV[2], 'changes', ARGV[5], 'positions', ARGV[6])
redis.call('HSET', KEYS[3], 'progress', ARGV[4])
for i = 2, 4 do redis.call('EXPIRE', KEYS[i], ARGV[8]) end
return 1
`;

/**
 * Publishes a whole View: the snapshot, and an entry that sends followers to it. Earlier entries become obsolete.
 *
 * KEYS: lease, views, head, snapshot. ARGV: token, entry, progress, message, changes of positions (empty for none),
 * retention (s).
 */
export const PUBLISH_WHOLE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[2], KEYS[4])
redis.call('XADD', KEYS[2], ARGV[2], 'whole', '1', 'positions', ARGV[5])
redis.call('HSET', KEYS[4], 'entry', ARGV[2], 'message', ARGV[4])
redis.call('HSET', KEYS[3], 'progress', ARGV[3])
for i = 2, 4 do redis.call('EXPIRE', KEYS[i], ARGV[6]) end
return 1
`;

/** Replaces the snapshot by a later one. KEYS: lease, snapshot. ARGV: token, entry, message, retention (s). */
export const REPLACE_SNAPSHOT = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[2], 'entry', ARGV[2], 'message', ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[4])
return 1
`;

/**
 * Writes a field of a snapshot of positions. The first field of a snapshot deletes the one before, which is too old to be used,
 * so that there is never more than one.
 *
 * KEYS: lease, positions. ARGV: token, entry, field, bytes, retention (s).
 */
export const WRITE_POSITIONS = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if redis.call('HGET', KEYS[2], 'entry') ~= ARGV[2] then
  redis.call('UNLINK', KEYS[2])
  redis.call('HSET', KEYS[2], 'entry', ARGV[2])
end
redis.call('HSET', KEYS[2], ARGV[3], ARGV[4])
redis.call('EXPIRE', KEYS[2], ARGV[5])
return 1
`;
