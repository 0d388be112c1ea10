-- KEYS o:{slot}, s:{slot}:id, ss:{slot}, q:{slot}:id, p:{slot}:id, trash:{slot}:id, k:{slot}:id, trash:{slot}:id:k, mi:{slot}:id
-- ARGV token, id, state JSON that the deletion is based on ('' when the owner asked), trash lifetime ms, key prefix of the sent messages
-- returns 'DELETED', 'CHANGED' when the stored state is another, 'GONE', or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
if redis.call('EXISTS', KEYS[2]) == 0 then redis.call('SREM', KEYS[3], ARGV[2]) return 'GONE' end
if ARGV[3] ~= '' then
  if redis.call('HGET', KEYS[2], 'state') ~= ARGV[3] then return 'CHANGED' end
  -- An operator can undo a bug of ours for a day; what stands there is ciphertext (reliability sheet 2.12).
  redis.call('RENAME', KEYS[2], KEYS[6])
  redis.call('PEXPIRE', KEYS[6], ARGV[4])
  if redis.call('EXISTS', KEYS[7]) == 1 then
    redis.call('RENAME', KEYS[7], KEYS[8])
    redis.call('PEXPIRE', KEYS[8], ARGV[4])
  end
else
  redis.call('DEL', KEYS[2], KEYS[7])
end
redis.call('SREM', KEYS[3], ARGV[2])
redis.call('DEL', KEYS[4], KEYS[5])
-- Bounded by keep-sent.lua; the same hash tag.
for _, message in ipairs(redis.call('ZRANGE', KEYS[9], 0, -1)) do redis.call('DEL', ARGV[5] .. message) end
redis.call('DEL', KEYS[9])
return 'DELETED'
