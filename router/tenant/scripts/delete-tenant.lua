-- Deletes the tenant's keys too, so that a later tenant of this name does not inherit them.
-- KEYS version, tenants, keys, uses, sessions of the tenant, kept by shards, proxies, proxies of keys; ARGV new version, channel, name
-- returns 'DONE', 'SESSIONS' if the tenant has any, or 'GONE'
if redis.call('HEXISTS', KEYS[2], ARGV[3]) == 0 then return 'GONE' end
if redis.call('SCARD', KEYS[5]) > 0 then return 'SESSIONS' end
local stored = redis.call('HGETALL', KEYS[3])
for i = 1, #stored, 2 do
  -- A tenant's name needs no escape in JSON. A label with the same text has escaped quotes, so it does not match.
  if string.find(stored[i + 1], '"tenant":"' .. ARGV[3] .. '"', 1, true) then
    redis.call('HDEL', KEYS[3], stored[i])
    redis.call('HDEL', KEYS[4], stored[i])
    redis.call('HDEL', KEYS[8], stored[i])
  end
end
redis.call('HDEL', KEYS[2], ARGV[3])
if redis.call('HDEL', KEYS[6], ARGV[3]) + redis.call('HDEL', KEYS[7], ARGV[3]) > 0 then redis.call('HSET', KEYS[6], '@', ARGV[1]) end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('PUBLISH', ARGV[2], ARGV[1])
return 'DONE'
