-- Appends the dead letters of the current epoch to the outbox again, oldest first, with their ids and bytes. Letters of an earlier epoch
-- stay: they are older than turning the webhook on.
-- KEYS owner:{slot}, session:{slot}:id, webhook:{slot}:id, outbox:{slot}:id, dead-letters:{slot}:id; ARGV token, most events, most bytes,
-- id of the operator's request
-- returns {replayed, left, 1 when the webhook is on}, or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
local w = redis.call('HMGET', KEYS[3], 'on', 'epoch', 'bytes')
if redis.call('EXISTS', KEYS[2]) == 0 or w[1] ~= '1' then return {0, redis.call('XLEN', KEYS[5]), 0} end
local bytes = tonumber(w[3] or '0')
local room = tonumber(ARGV[2]) - redis.call('XLEN', KEYS[4])
local replayed = 0
for _, letter in ipairs(redis.call('XRANGE', KEYS[5], '-', '+')) do
  local f = letter[2]
  if f[8] == w[2] then
    if replayed >= room or bytes + #f[10] > tonumber(ARGV[3]) then break end
    redis.call('XADD', KEYS[4], '*', 'i', f[2], 't', f[4], 'c', f[6], 'e', f[8], 'b', f[10], 'q', ARGV[4])
    redis.call('XDEL', KEYS[5], letter[1])
    bytes = bytes + #f[10]
    replayed = replayed + 1
  end
end
redis.call('HSET', KEYS[3], 'bytes', bytes)
return {replayed, redis.call('XLEN', KEYS[5]), 1}
