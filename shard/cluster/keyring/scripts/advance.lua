-- Moves a runner to its next slot and renews its lease. A repeated step is not counted again.
-- KEYS {keyring}:rotation; ARGV runner, run, slot before, slot to go on with, lease ms, (field, by how much it grows) ...
-- returns 1, or 0 when another runner has the rotation
local r = redis.call('HMGET', KEYS[1], 'owner', 'run', 'slot')
if r[1] ~= ARGV[1] or r[2] ~= ARGV[2] or (r[3] ~= ARGV[3] and r[3] ~= ARGV[4]) then return 0 end
local t = redis.call('TIME')
redis.call('HSET', KEYS[1], 'ownerUntil', string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000) + tonumber(ARGV[5])))
if r[3] == ARGV[4] then return 1 end
redis.call('HSET', KEYS[1], 'slot', ARGV[4])
for i = 6, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1]) end
return 1
