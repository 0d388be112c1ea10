-- KEYS {whatsapp}:version; ARGV time the lookup started, revision it found (0: it failed)
-- returns the newest known revision
local function field(name) return tonumber(redis.call('HGET', KEYS[1], name) or '0') end
local new, newest = tonumber(ARGV[2]), field('found')
redis.call('HSET', KEYS[1], 'answered', ARGV[1])
if new == 0 then return newest end
redis.call('HSET', KEYS[1], 'foundAt', ARGV[1])
if new < newest and newest > field('refused') then return newest end
redis.call('HSET', KEYS[1], 'found', ARGV[2])
return new
