-- Tells of no change: when a key was used last is nothing that routers remember.
-- KEYS keys, uses; ARGV ids and times by turns
-- returns how many of the keys there still are
local known = 0
for i = 1, #ARGV, 2 do
  if redis.call('HEXISTS', KEYS[1], ARGV[i]) == 1 then
    redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
    known = known + 1
  end
end
return known
