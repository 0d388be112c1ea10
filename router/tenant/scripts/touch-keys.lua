-- Announces no change, because routers do not remember when a key was last used.
-- KEYS keys, uses; ARGV alternating ids and times
-- returns how many of the keys still exist
local known = 0
for i = 1, #ARGV, 2 do
  if redis.call('HEXISTS', KEYS[1], ARGV[i]) == 1 then
    redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
    known = known + 1
  end
end
return known
