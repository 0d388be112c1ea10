-- KEYS version, tenants, keys, proxies of keys
-- returns the version ('' before the first change), the tenants, the keys and the proxies of keys, each as names and JSON or sealed texts by turns
return { redis.call('GET', KEYS[1]) or '', redis.call('HGETALL', KEYS[2]), redis.call('HGETALL', KEYS[3]), redis.call('HGETALL', KEYS[4]) }
