-- Stores a process report with the time of the Redis clock. Removes expired reports, and the oldest ones above the limit.
-- KEYS {processes}:seen, {processes}:reports; ARGV process, report JSON, lifetime ms, most
-- returns 1
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
local function forget(names)
  if #names == 0 then return end
  redis.call('ZREM', KEYS[1], unpack(names))
  redis.call('HDEL', KEYS[2], unpack(names))
end
forget(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[3]), 'LIMIT', 0, 100))
local over = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[4])
if over > 0 then forget(redis.call('ZRANGE', KEYS[1], 0, math.min(over, 100) - 1)) end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return 1
