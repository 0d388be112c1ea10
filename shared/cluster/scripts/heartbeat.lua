-- KEYS member:{name}; ARGV incarnation
-- returns the new sequence number, or 0 when this incarnation was buried or replaced (the caller fences itself)
local r = redis.call('HMGET', KEYS[1], 'inc', 'st')
if r[1] ~= ARGV[1] or r[2] == 'dead' then return 0 end
return redis.call('HINCRBY', KEYS[1], 'seq', 1)
