-- A new incarnation replaces only a dead or gone one. It stores how that one ended, as its slots may still need a takeover.
-- KEYS member:{name}; ARGV incarnation, weight, host, place in the feed of beats ('' for none)
-- returns 1, or 0 when another incarnation is still in its lease
local r = redis.call('HMGET', KEYS[1], 'st', 'inc', 'why')
local st = r[1]
if st and st ~= 'dead' and st ~= 'gone' then return 0 end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'inc', ARGV[1], 'seq', 1, 'st', 'active', 'w', ARGV[2], 'addr', ARGV[3], 'at', ARGV[4])
if st then redis.call('HSET', KEYS[1], 'finc', r[2], 'fwhy', st == 'gone' and 'left' or r[3] or '') end
return 1
