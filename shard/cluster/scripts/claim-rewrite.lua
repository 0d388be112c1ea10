-- KEYS {keyring}:gone, {keyring}:aof; ARGV ms between two rewrites
-- returns now in ms, when the append-only file still holds deleted secrets and the last rewrite is old enough; else 0
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local asked = tonumber(redis.call('HGET', KEYS[2], 'asked') or '0')
if now < asked + tonumber(ARGV[1]) or #redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, 1) == 0 then return 0 end
redis.call('HSET', KEYS[2], 'asked', string.format('%.0f', now))
return now
