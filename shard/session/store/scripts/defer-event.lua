-- Stores a failed attempt at the oldest event, so that the next owner continues its count and its wait.
-- KEYS owner:{slot}, webhook:{slot}:id, outbox:{slot}:id; ARGV token, entry, attempts, ms until the next one
-- returns 1, 0 when the event is gone already, or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
if not redis.call('XRANGE', KEYS[3], ARGV[2], ARGV[2])[1] then return 0 end
local t = redis.call('TIME')
local at = t[1] * 1000 + math.floor(t[2] / 1000) + tonumber(ARGV[4])
redis.call('HSET', KEYS[2], 'head', ARGV[2], 'tries', ARGV[3], 'retryAt', string.format('%.0f', at))
return 1
