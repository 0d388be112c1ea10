-- A token bucket on the clock of Redis. Routers keep what they take until they return it, so together they never exceed its content.
-- KEYS bucket; ARGV tokens per second, capacity, number wanted (below 0: returned)
-- returns the number given, the number of whole tokens left, and ms until the next whole one
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
-- By then the bucket is full, which is the same as a missing one.
redis.call('PEXPIRE', KEYS[1], math.ceil(capacity / rate * 1000) + 1000)
local whole = math.floor(tokens)
return { given, whole, math.ceil((whole + 1 - tokens) * 1000 / rate) }
