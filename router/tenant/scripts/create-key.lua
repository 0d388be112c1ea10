-- KEYS version, tenants, keys, proxies of keys; ARGV new version, channel, tenant ('' for none), id, JSON, most keys, sealed proxy ('' for
-- none)
-- returns 'DONE' (also for a repeat of the same call), 'NOTENANT' or 'FULL'
if redis.call('HEXISTS', KEYS[3], ARGV[4]) == 1 then return 'DONE' end
if ARGV[3] ~= '' and redis.call('HEXISTS', KEYS[2], ARGV[3]) == 0 then return 'NOTENANT' end
if redis.call('HLEN', KEYS[3]) >= tonumber(ARGV[6]) then return 'FULL' end
redis.call('HSET', KEYS[3], ARGV[4], ARGV[5])
if ARGV[7] ~= '' then redis.call('HSET', KEYS[4], ARGV[4], ARGV[7]) end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('PUBLISH', ARGV[2], ARGV[1])
return 'DONE'
