-- KEYS version, tenants, kept by shards, proxies; ARGV new version, channel, name, JSON before, JSON after, JSON kept by shards ('' for
-- none), sealed proxy ('' for none, '=' to keep)
-- returns 'DONE' (also for a repeat of the same call), 'CHANGED' if another change came first, or 'GONE'
local stored = redis.call('HGET', KEYS[2], ARGV[3])
if not stored then return 'GONE' end
if stored == ARGV[5] and ARGV[7] == '=' then return 'DONE' end
if stored ~= ARGV[4] and stored ~= ARGV[5] then return 'CHANGED' end
redis.call('HSET', KEYS[2], ARGV[3], ARGV[5])
if ARGV[6] == '' then redis.call('HDEL', KEYS[3], ARGV[3]) else redis.call('HSET', KEYS[3], ARGV[3], ARGV[6]) end
if ARGV[7] == '' then redis.call('HDEL', KEYS[4], ARGV[3]) elseif ARGV[7] ~= '=' then redis.call('HSET', KEYS[4], ARGV[3], ARGV[7]) end
redis.call('HSET', KEYS[3], '@', ARGV[1])
redis.call('SET', KEYS[1], ARGV[1])
redis.call('PUBLISH', ARGV[2], ARGV[1])
return 'DONE'
