-- KEYS o:{slot}, r:{slot}:id, of a request with an idempotency key also ik:{slot}:session, s:{slot}:session
-- ARGV token, sealed outcome ('+' and bytes, or text), lifetime ms, '1' when a later request of the same idempotency key runs again ('' otherwise),
-- '1' when a new record is a text (begin.lua; '' for a request with an idempotency key)
-- returns 1, or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
local form = redis.call('TYPE', KEYS[2]).ok
if form == 'string' or (form == 'none' and ARGV[5] == '1') then
  local done = string.sub(ARGV[2], 1, 1) == '+' and ARGV[2] or '=' .. ARGV[2]
  -- Its time runs from its beginning on; an instant costs 17 bytes of the append-only file.
  if form == 'string' then redis.call('SET', KEYS[2], done, 'KEEPTTL') else redis.call('SET', KEYS[2], done, 'PX', ARGV[3]) end
  return 1
end
local keyed = KEYS[3]
local lives = keyed and redis.call('EXISTS', KEYS[4]) == 1
-- Its session was deleted meanwhile, with all outcomes: this one would stay.
if keyed and form == 'none' and not lives then return 1 end
if lives then
  local time = redis.call('TIME')
  redis.call('ZADD', KEYS[3], tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000), KEYS[2])
  redis.call('PEXPIRE', KEYS[3], ARGV[3])
end
redis.call('HSET', KEYS[2], 'st', 'done', 'out', ARGV[2], 'again', ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return 1
