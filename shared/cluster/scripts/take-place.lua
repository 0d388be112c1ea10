-- Assigns a member its permanent place in the feed of beats, so that no other member's beats are mistaken for its own.
-- KEYS {members}:places; ARGV member, most
-- returns the place, from 0, or -1 when there are no more
local place = redis.call('HGET', KEYS[1], ARGV[1])
if place then return tonumber(place) end
local count = redis.call('HLEN', KEYS[1])
if count >= tonumber(ARGV[2]) then return -1 end
redis.call('HSET', KEYS[1], ARGV[1], count)
return count
