-- Returns the id of the sealing key: the chosen one, or else this one from now on.
-- KEYS {keyring}:rotation; ARGV key id, id of the chosen key that it may replace ('' for none), ms
-- for which other keys may still be needed, ids of the other keys ...
local sealing = redis.call('HGET', KEYS[1], 'sealing')
if sealing and sealing ~= ARGV[2] then return sealing end
local t = redis.call('TIME')
local ends = string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000) + tonumber(ARGV[3]))
redis.call('HSET', KEYS[1], 'sealing', ARGV[1])
redis.call('HDEL', KEYS[1], 'until:' .. ARGV[1])
for i = 4, #ARGV do redis.call('HSETNX', KEYS[1], 'until:' .. ARGV[i], ends) end
return ARGV[1]
