-- Writes fields of a hash that belongs to a session. A session that is gone stays gone.
-- KEYS owner:{slot}, session:{slot}:id, the hash; ARGV token, cap (0: none), field, value, ... ('' deletes the field). Past the cap random
-- fields are evicted: the platform can supply capped data again.
-- returns 1, 0 when the session is gone, or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
if redis.call('EXISTS', KEYS[2]) == 0 then return 0 end
local cap = tonumber(ARGV[2])
for i = 3, #ARGV, 2 do
  if ARGV[i + 1] == '' then redis.call('HDEL', KEYS[3], ARGV[i]) else redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 1]) end
end
if cap > 0 then
  local over = redis.call('HLEN', KEYS[3]) - cap
  if over > 0 then
    for _, f in ipairs(redis.call('HRANDFIELD', KEYS[3], over)) do redis.call('HDEL', KEYS[3], f) end
  end
end
return 1
