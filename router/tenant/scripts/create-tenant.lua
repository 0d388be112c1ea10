-- KEYS version, tenants, kept by shards, proxies; ARGV new version, channel, name, JSON, JSON kept by shards ('' for none), most tenants,
-- sealed proxy ('' for none)
-- returns 'DONE' (also for a repeat of the same call), 'EXISTS' or 'FULL'
local stored = redis.call('HGET', KEYS[2], ARGV[3])
if stored == ARGV[4] then return 'DONE' end
if stored then return 'EXISTS' end
if redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[6]) then return 'FULL' end
redis.call('HSET', KEYS[2], ARGV[3], ARGV[4])
if ARGV[5] ~= '' then redis.call('HSET', KEYS[3], ARGV[3], ARGV[5]) end
if ARGV[7] ~= '' then redis.call('HSET', KEYS[4], ARGV[3], ARGV[7]) end
if ARGV[5] ~= '' or ARGV[7] ~= '' then redis.call('HSET', KEYS[3], '@', ARGV[1]) end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('PUBLISH', ARGV[2], ARGV[1])
return 'DONE'
