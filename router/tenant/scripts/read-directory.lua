-- KEYS version, tenants, keys
-- returns the version ('' before the first change), the tenants and the keys, each as names and JSON by turns
return { redis.call('GET', KEYS[1]) or '', redis.call('HGETALL', KEYS[2]), redis.call('HGETALL', KEYS[3]) }
