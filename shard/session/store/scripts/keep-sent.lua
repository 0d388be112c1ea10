-- Keeps the content of a sent message for a while. The oldest is evicted when there are too many.
-- KEYS owner:{slot}, session:{slot}:id, sent:{slot}:id:message, sent-index:{slot}:id, history:{slot}:id
-- ARGV token, message id, sealed content, lifetime ms, most messages, key prefix of the contents, sealed entry of the history or '', most
-- entries of it, their ms
-- returns 1, 0 when the session is gone, or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
if redis.call('EXISTS', KEYS[2]) == 0 then return 0 end
redis.call('SET', KEYS[3], ARGV[3], 'PX', ARGV[4])
local t = redis.call('TIME')
redis.call('ZADD', KEYS[4], t[1] * 1000 + math.floor(t[2] / 1000), ARGV[2])
-- Renewed only once an hour.
local function live(key, lifetime)
  if redis.call('PTTL', key) < lifetime then redis.call('PEXPIRE', key, lifetime + 3600000) end
end
live(KEYS[4], tonumber(ARGV[4]))
if ARGV[7] ~= '' then
  redis.call('XADD', KEYS[5], 'MAXLEN', ARGV[8], '*', 'b', ARGV[7])
  live(KEYS[5], tonumber(ARGV[9]))
end
local over = redis.call('ZCARD', KEYS[4]) - tonumber(ARGV[5])
if over > 0 then
  -- The same hash tag: the contents lie on this node.
  local popped = redis.call('ZPOPMIN', KEYS[4], over)
  for i = 1, #popped, 2 do redis.call('DEL', ARGV[6] .. popped[i]) end
end
return 1
