-- KEYS o:{slot}, r:{slot}:id; ARGV token, class (send, once), lifetime ms, claim (unique to one run: its repeat, after a lost answer, is the same beginning)
-- returns {'NEW'}, {'RETRY', n}, {'DONE', outcome} or {'UNKNOWN'} (begun before and not repeatable), or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
local s = redis.call('HMGET', KEYS[2], 'st', 'out', 'by', 'n')
if s[1] == 'done' then return {'DONE', s[2]} end
if s[1] == 'started' and s[3] == ARGV[4] then
  if s[4] == '1' then return {'NEW'} end
  return {'RETRY', tonumber(s[4])}
end
if s[1] == 'started' and ARGV[2] == 'once' then return {'UNKNOWN'} end
redis.call('HSET', KEYS[2], 'st', 'started', 'by', ARGV[4])
local n = redis.call('HINCRBY', KEYS[2], 'n', 1)
redis.call('PEXPIRE', KEYS[2], ARGV[3])
if s[1] then return {'RETRY', n} end
return {'NEW'}
