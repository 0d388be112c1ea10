-- KEYS owner:{slot}, result:{slot}:id, idempotency-keys:{slot}:session
-- ARGV token, class (send, once), lifetime ms, claim of the run; with an idempotency key also envelope id, most keys, body MACs (sealing
-- key's first). Stored as text '<n> <claim>' or '+<outcome>', with an idempotency key as a hash.
-- returns {'NEW'}, {'RETRY', n}, {'DONE', outcome, 0|1 (earlier request)}, {'UNKNOWN'} (not repeatable), {'OTHER'} (another body),
-- {'FULL', ms until there is room}, or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
local request = ARGV[5]
if not request then
  local text = redis.call('GET', KEYS[2])
  local n = 1
  if text then
    if string.sub(text, 1, 1) == '+' then return {'DONE', text, 0} end
    local runs, claim = string.match(text, '^(%d+) (.*)$')
    n = tonumber(runs)
    -- A call repeated with the same claim, after a lost reply, is the same beginning.
    if claim ~= ARGV[4] then
      if ARGV[2] == 'once' then return {'UNKNOWN'} end
      n = n + 1
      redis.call('SET', KEYS[2], n .. ' ' .. ARGV[4], 'PX', ARGV[3])
    end
  else
    redis.call('SET', KEYS[2], '1 ' .. ARGV[4], 'PX', ARGV[3])
  end
  if n == 1 then return {'NEW'} end
  return {'RETRY', n}
end
local s = redis.call('HMGET', KEYS[2], 'st', 'out', 'by', 'n', 'req', 'mac', 'again')
local earlier = s[1] ~= false and s[5] ~= request
if s[1] then
  local same = false
  for i = 7, #ARGV do same = same or ARGV[i] == s[6] end
  if not same then return {'OTHER'} end
end
local again = s[1] == 'done' and earlier and s[7] == '1'
if s[1] == 'done' and not again then return {'DONE', s[2], earlier and 1 or 0} end
if s[1] == 'started' and s[3] == ARGV[4] then
  if s[4] == '1' then return {'NEW'} end
  return {'RETRY', tonumber(s[4])}
end
if s[1] == 'started' and ARGV[2] == 'once' then return {'UNKNOWN'} end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now - tonumber(ARGV[3]))
if not s[1] and redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[6]) then
  return {'FULL', tonumber(redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2]) + tonumber(ARGV[3]) - now}
end
-- Renewed with each run, like the record's own expiry: deleting the session must find every record through this index.
redis.call('ZADD', KEYS[3], now, KEYS[2])
redis.call('PEXPIRE', KEYS[3], ARGV[3])
-- The MAC is renewed with each run, so that it needs no older key than the rest of the record.
redis.call('HSET', KEYS[2], 'req', request, 'mac', ARGV[7])
if again then redis.call('HDEL', KEYS[2], 'out', 'n', 'again') end
redis.call('HSET', KEYS[2], 'st', 'started', 'by', ARGV[4])
local n = redis.call('HINCRBY', KEYS[2], 'n', 1)
redis.call('PEXPIRE', KEYS[2], ARGV[3])
if s[1] == 'started' then return {'RETRY', n} end
return {'NEW'}
