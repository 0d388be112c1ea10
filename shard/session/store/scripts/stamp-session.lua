-- Stamps a session whose data key does not open: its stored parts stay as they are, and readers see that they are unreadable.
-- KEYS owner:{slot}, session:{slot}:id, qr:{slot}:id; ARGV token
-- returns 'OK', 'GONE' when the session was deleted, or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
if redis.call('EXISTS', KEYS[2]) == 0 then return 'GONE' end
redis.call('HSET', KEYS[2], 'tok', ARGV[1], 'unreadable', '1')
redis.call('DEL', KEYS[3])
return 'OK'
