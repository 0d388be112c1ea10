-- KEYS member:{name}; ARGV incarnation, state (active, draining, gone)
-- returns 1, or 0 when this incarnation was buried or replaced
local r = redis.call('HMGET', KEYS[1], 'inc', 'st')
if r[1] ~= ARGV[1] or r[2] == 'dead' then return 0 end
redis.call('HSET', KEYS[1], 'st', ARGV[2])
return 1
