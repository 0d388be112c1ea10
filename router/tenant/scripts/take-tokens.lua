-- A token bucket on the clock of Redis. What routers take here is theirs until they bring it back, so that all of them together never have more than it holds.
-- KEYS bucket; ARGV tokens a second, capacity, how many are wanted (below 0: brought back)
-- returns how many were given, how many whole ones are left, and ms until there is another whole one
local rate, capacity, want = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stored = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = capacity
if stored[1] then tokens = math.min(capacity, tonumber(stored[1]) + math.max(0, now - tonumber(stored[2])) * rate / 1000) end
local given = want
if want > 0 then given = math.min(want, math.floor(tokens)) end
tokens = math.min(capacity, tokens - given)
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', tostring(now))
-- By then it is full, as one that is not there.
redis.call('PEXPIRE', KEYS[1], math.ceil(capacity / rate * 1000) + 1000)
local whole = math.floor(tokens)
return { given, whole, math.ceil((whole + 1 - tokens) * 1000 / rate) }
