-- KEYS version, tenants; ARGV new version, channel, name, JSON, most tenants
-- returns 'DONE' (a repeat of the same call too), 'EXISTS', or 'FULL'
local stored = redis.call('HGET', KEYS[2], ARGV[3])
if stored == ARGV[4] then return 'DONE' end
if stored then return 'EXISTS' end
if redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[5]) then return 'FULL' end
redis.call('HSET', KEYS[2], ARGV[3], ARGV[4])
redis.call('SET', KEYS[1], ARGV[1])
redis.call('PUBLISH', ARGV[2], ARGV[1])
return 'DONE'
