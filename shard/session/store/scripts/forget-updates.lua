-- Forgets the updates of the last account, because another account logs in next. Waiting events stay.
-- KEYS owner:{slot}, webhook:{slot}:id, message-chats:{slot}:id, older-chats:{slot}:id, seen-events:{slot}:id; ARGV token
-- returns 1, or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
redis.call('HDEL', KEYS[2], 'cursor')
redis.call('DEL', KEYS[3], KEYS[4], KEYS[5])
return 1
