-- KEYS owner:{slot}, data key of the slot; ARGV token
-- returns 1, or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
redis.call('DEL', KEYS[2])
return 1
