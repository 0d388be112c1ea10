-- Sets, changes or removes a session's webhook. The settings take effect at this moment.
-- KEYS owner:{slot}, session:{slot}:id, webhook:{slot}:id, outbox:{slot}:id; ARGV token, sealed settings ('' turns it off). Off and on
-- begin a new epoch with an empty outbox; other settings keep both and let the oldest event be tried at once.
-- returns {'OK', epoch, 1 when on}, {'GONE', 0, 0} when the session was deleted, or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
if redis.call('EXISTS', KEYS[2]) == 0 then return {'GONE', 0, 0} end
local on = ARGV[2] ~= ''
if on then redis.call('HSET', KEYS[2], 'wh', ARGV[2]) else redis.call('HDEL', KEYS[2], 'wh') end
redis.call('HDEL', KEYS[3], 'head', 'tries', 'retryAt')
if (redis.call('HGET', KEYS[3], 'on') == '1') ~= on then
  local t = redis.call('TIME')
  redis.call('HSET', KEYS[3], 'on', on and '1' or '0', 'onAt', string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000)), 'bytes', '0')
  redis.call('HINCRBY', KEYS[3], 'epoch', 1)
  redis.call('DEL', KEYS[4])
end
return {'OK', tonumber(redis.call('HGET', KEYS[3], 'epoch') or '0'), on and 1 or 0}
