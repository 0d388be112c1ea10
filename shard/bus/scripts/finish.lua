-- KEYS owner:{slot}, result:{slot}:id, of a request with an idempotency key also idempotency-keys:{slot}:session, session:{slot}:session
-- ARGV token, '+' and the sealed outcome, lifetime ms, '1' when a later request of the same idempotency key runs again ('' otherwise)
-- returns 1, or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
local keyed = KEYS[3]
local begun = redis.call('EXISTS', KEYS[2]) == 1
if not keyed then
  -- The lifetime counts from the begin. Setting it again would cost 17 bytes of the append-only file.
  if begun then redis.call('SET', KEYS[2], ARGV[2], 'KEEPTTL') else redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3]) end
  return 1
end
local lives = redis.call('EXISTS', KEYS[4]) == 1
-- The session was deleted meanwhile, with its outcomes: this outcome would outlive it.
if not begun and not lives then return 1 end
if lives then
  local time = redis.call('TIME')
  redis.call('ZADD', KEYS[3], tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000), KEYS[2])
  redis.call('PEXPIRE', KEYS[3], ARGV[3])
end
redis.call('HSET', KEYS[2], 'st', 'done', 'out', ARGV[2], 'again', ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return 1
