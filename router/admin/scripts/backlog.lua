-- Measures what is queued for a session's receiver, on the clock of Redis.
-- KEYS outbox:{slot}:id, dead-letters:{slot}:id
-- returns {age of the oldest event in ms (0 if none is queued), events, dead letters}
local age = 0
local oldest = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
if oldest then
  local t = redis.call('TIME')
  age = math.max(0, t[1] * 1000 + math.floor(t[2] / 1000) - tonumber(string.match(oldest[1], '^%d+')))
end
return {age, redis.call('XLEN', KEYS[1]), redis.call('XLEN', KEYS[2])}
