-- Idempotent: the same plan makes the same claim.
-- KEYS creation:{caller}:id, creation-keys:{caller}; ARGV lifetime ms, most keys of a caller, sealed plan, MACs of the body (the sealing
-- key's first)
-- returns {'NEW'}, {'KNOWN', sealed plan, 0|1 (done)}, {'OTHER'} (the key was used with another body) or {'FULL', ms until there is room}
local s = redis.call('HMGET', KEYS[1], 'plan', 'mac', 'st')
if s[1] then
  local same = false
  for i = 4, #ARGV do same = same or ARGV[i] == s[2] end
  if not same then return {'OTHER'} end
  if s[1] == ARGV[3] then return {'NEW'} end
  return {'KNOWN', s[1], s[3] == 'done' and 1 or 0}
end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - tonumber(ARGV[1]))
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[2]) then
  return {'FULL', tonumber(redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]) + tonumber(ARGV[1]) - now}
end
redis.call('ZADD', KEYS[2], now, KEYS[1])
redis.call('PEXPIRE', KEYS[2], ARGV[1])
redis.call('HSET', KEYS[1], 'plan', ARGV[3], 'mac', ARGV[4], 'st', 'running')
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return {'NEW'}
