-- Makes a key active and starts to re-encrypt what older keys encrypted. A repeat of the running call changes nothing.
-- KEYS {keyring}:rotation; ARGV id of the key, ms for which the previous key may still be needed
-- returns 1 when a rotation began, 0 when it was already running
local r = redis.call('HMGET', KEYS[1], 'sealing', 'phase', 'run')
local under = r[2] and r[2] ~= ''
if r[1] == ARGV[1] and under then return 0 end
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local ms = function(at) return string.format('%.0f', at) end
if r[1] and r[1] ~= ARGV[1] then redis.call('HSET', KEYS[1], 'until:' .. r[1], ms(now + tonumber(ARGV[2]))) end
redis.call('HDEL', KEYS[1], 'until:' .. ARGV[1], 'ended', 'owner', 'ownerUntil')
redis.call('HSET', KEYS[1], 'sealing', ARGV[1], 'phase', 'counting', 'passStarted', ms(now), 'slot', '0', 'passes', '0', 'total', '0', 'done', '0', 'failed', '0',
  'started', ms(now), 'run', tonumber(r[3] or '0') + 1)
-- A new run ends the work of shards on the previous one.
local stored = redis.call('HGETALL', KEYS[1])
for i = 1, #stored, 2 do
  if string.sub(stored[i], 1, 6) == 'found:' then redis.call('HDEL', KEYS[1], stored[i]) end
end
return 1
