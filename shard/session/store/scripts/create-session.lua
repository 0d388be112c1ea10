-- KEYS owner:{slot}, session:{slot}:id, slot-sessions:{slot}; ARGV token, id, platform, secret hash, created, sealed state, data key,
-- tenant, sealed label or '', sealed metadata or '', MAC of the state, sealed proxy or '', its source or '', incarnation or ''
-- returns 'NEW', 'EXISTS' (a repeat of the same create), 'TAKEN' (another secret), or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
local h = redis.call('HGET', KEYS[2], 'secretHash')
if h then if h == ARGV[4] then return 'EXISTS' else return 'TAKEN' end end
redis.call('HSET', KEYS[2], 'platform', ARGV[3], 'secretHash', ARGV[4], 'created', ARGV[5], 'tok', ARGV[1], 'state', ARGV[6], 'dk', ARGV[7],
  'tenant', ARGV[8], 'label', ARGV[9], 'metadata', ARGV[10], 'stateMac', ARGV[11])
if ARGV[12] ~= '' then redis.call('HSET', KEYS[2], 'proxy', ARGV[12]) end
if ARGV[13] ~= '' then redis.call('HSET', KEYS[2], 'proxyOf', ARGV[13]) end
if ARGV[14] ~= '' then redis.call('HSET', KEYS[2], 'incarnation', ARGV[14]) end
redis.call('SADD', KEYS[3], ARGV[2])
return 'NEW'
