-- KEYS o:{slot}; ARGV member, incarnation, host, dead member, dead incarnation ('' when none)
-- The slot is taken when it was never owned, is free, is ours already (same token back), or its owner is exactly that dead incarnation.
-- returns {1, token, previous host, 'new'|'same'|'released'|'dead'} or {0, member, incarnation}
local o = redis.call('HMGET', KEYS[1], 'm', 'inc', 'tok', 'st', 'addr')
if o[1] == ARGV[1] and o[2] == ARGV[2] and o[4] ~= 'free' then return {1, o[3], o[5] or '', 'same'} end
local how
if not o[1] then how = 'new'
elseif o[4] == 'free' then how = 'released'
elseif ARGV[4] ~= '' and o[1] == ARGV[4] and o[2] == ARGV[5] then how = 'dead'
else return {0, o[1], o[2]} end
-- Redis time only keeps the token above ones that a failover rolled back; it never judges expiry.
local t = redis.call('TIME')
local tok = (tonumber(o[3] or '0') or 0) + 1
local now = t[1] * 1000 + math.floor(t[2] / 1000)
if now > tok then tok = now end
local text = string.format('%.0f', tok)
redis.call('HSET', KEYS[1], 'm', ARGV[1], 'inc', ARGV[2], 'tok', text, 'st', 'held', 'addr', ARGV[3])
return {1, text, o[5] or '', how}
