-- KEYS o:{slot}, data hash of the slot; ARGV token, cap (0: none, -1: the hash must exist), field, value, ... ('' deletes the field)
-- Past the cap random fields go: what is capped can be fetched again from the platform.
-- returns 1, 0 when the hash had to exist and does not, or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
local cap = tonumber(ARGV[2])
if cap < 0 and redis.call('EXISTS', KEYS[2]) == 0 then return 0 end
for i = 3, #ARGV, 2 do
  if ARGV[i + 1] == '' then redis.call('HDEL', KEYS[2], ARGV[i]) else redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
end
if cap > 0 then
  local over = redis.call('HLEN', KEYS[2]) - cap
  if over > 0 then
    for _, f in ipairs(redis.call('HRANDFIELD', KEYS[2], over)) do redis.call('HDEL', KEYS[2], f) end
  end
end
return 1
