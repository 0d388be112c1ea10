-- KEYS version, tenants, keys, proxies of keys
-- returns the version ('' before the first change), tenants, keys and proxies of keys, each as alternating names and JSON or sealed texts
return { redis.call('GET', KEYS[1]) or '', redis.call('HGETALL', KEYS[2]), redis.call('HGETALL', KEYS[3]), redis.call('HGETALL', KEYS[4]) }
