-- Changes a session's secrets in one step. A session that is gone stays gone.
-- KEYS owner:{slot}, session:{slot}:id, secrets:{slot}:id; ARGV token, field, sealed value, ... ('' deletes the field)
-- returns 1, 0 when the session is gone, or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
if redis.call('EXISTS', KEYS[2]) == 0 then return 0 end
for i = 2, #ARGV, 2 do
  if ARGV[i + 1] == '' then redis.call('HDEL', KEYS[3], ARGV[i]) else redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 1]) end
end
return 1
