-- Removes an event from the outbox: it was delivered, or it becomes a dead letter.
-- KEYS owner:{slot}, webhook:{slot}:id, outbox:{slot}:id, dead-letters:{slot}:id; ARGV token, entry, attempts, reason ('' when delivered),
-- most dead letters, their lifetime ms
-- returns 1, 0 when the event is gone already, or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
local entry = redis.call('XRANGE', KEYS[3], ARGV[2], ARGV[2])[1]
if not entry then return 0 end
local f = entry[2]
if ARGV[4] ~= '' then
  redis.call('XADD', KEYS[4], 'MAXLEN', ARGV[5], '*', 'i', f[2], 't', f[4], 'c', f[6], 'e', f[8], 'b', f[10], 'n', ARGV[3], 'r', ARGV[4])
  redis.call('PEXPIRE', KEYS[4], ARGV[6])
end
redis.call('XDEL', KEYS[3], ARGV[2])
redis.call('HINCRBY', KEYS[2], 'bytes', -#f[10])
redis.call('HDEL', KEYS[2], 'head', 'tries', 'retryAt')
return 1
