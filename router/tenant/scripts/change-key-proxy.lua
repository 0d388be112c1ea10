-- KEYS version, keys, proxies of keys; ARGV new version, channel, id, sealed proxy ('' for none)
-- returns 'DONE' or 'GONE'
if redis.call('HEXISTS', KEYS[2], ARGV[3]) == 0 then return 'GONE' end
if ARGV[4] == '' then redis.call('HDEL', KEYS[3], ARGV[3]) else redis.call('HSET', KEYS[3], ARGV[3], ARGV[4]) end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('PUBLISH', ARGV[2], ARGV[1])
return 'DONE'
