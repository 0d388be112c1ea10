-- A new incarnation of a stable member name replaces a dead or gone one only.
-- KEYS mem:{name}; ARGV incarnation, weight, host
-- returns 1, or 0 when another incarnation is still in its lease
local st = redis.call('HGET', KEYS[1], 'st')
if st and st ~= 'dead' and st ~= 'gone' then return 0 end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'inc', ARGV[1], 'seq', 1, 'st', 'active', 'w', ARGV[2], 'addr', ARGV[3])
return 1
