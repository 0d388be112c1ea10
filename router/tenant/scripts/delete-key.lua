-- KEYS version, keys, uses, proxies of keys; ARGV new version, channel, id
-- returns 'DONE' or 'GONE'
if redis.call('HDEL', KEYS[2], ARGV[3]) == 0 then return 'GONE' end
redis.call('HDEL', KEYS[3], ARGV[3])
redis.call('HDEL', KEYS[4], ARGV[3])
redis.call('SET', KEYS[1], ARGV[1])
redis.call('PUBLISH', ARGV[2], ARGV[1])
return 'DONE'
