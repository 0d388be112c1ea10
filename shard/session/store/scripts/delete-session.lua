-- KEYS owner:{slot}, session:{slot}:id, slot-sessions:{slot}, slot-trash:{slot}, qr:{slot}:id, sent-index:{slot}:id,
-- idempotency-keys:{slot}:id, then pairs of a key and its place in the trash, the session's own first
-- ARGV token, id, MAC of the state that a timer judged ('' when the owner deletes), trash lifetime ms, key prefix of the sent messages
-- returns 'DELETED', 'CHANGED' when the stored state is another, 'GONE', or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
if redis.call('EXISTS', KEYS[2]) == 0 then redis.call('SREM', KEYS[3], ARGV[2]) return 'GONE' end
if ARGV[3] ~= '' and redis.call('HGET', KEYS[2], 'stateMac') ~= ARGV[3] then return 'CHANGED' end
if ARGV[3] == '' then
  -- The outcomes of requests with an idempotency key are not sealed with the session's key. Bounded by begin.lua; the same hash tag.
  for _, result in ipairs(redis.call('ZRANGE', KEYS[7], 0, -1)) do redis.call('DEL', result) end
end
for i = 8, #KEYS, 2 do
  if ARGV[3] == '' then redis.call('DEL', KEYS[i])
  elseif redis.call('EXISTS', KEYS[i]) == 1 then
    -- An operator can undo it for a day (undelete-session.lua). The trash holds ciphertext.
    redis.call('RENAME', KEYS[i], KEYS[i + 1])
    redis.call('PEXPIRE', KEYS[i + 1], ARGV[4])
  end
end
redis.call('SREM', KEYS[3], ARGV[2])
if ARGV[3] ~= '' then
  local t = redis.call('TIME')
  local now = t[1] * 1000 + math.floor(t[2] / 1000)
  redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now)
  redis.call('ZADD', KEYS[4], now + tonumber(ARGV[4]), ARGV[2])
  redis.call('PEXPIRE', KEYS[4], ARGV[4])
end
-- Bounded by keep-sent.lua; the same hash tag.
for _, message in ipairs(redis.call('ZRANGE', KEYS[6], 0, -1)) do redis.call('DEL', ARGV[5] .. message) end
redis.call('DEL', KEYS[5], KEYS[6])
return 'DELETED'
