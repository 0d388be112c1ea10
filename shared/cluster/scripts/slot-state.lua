-- KEYS o:{slot}; ARGV token, new state (held, draining, free)
-- returns 1, or error FENCED
if redis.call('HGET', KEYS[1], 'tok') ~= ARGV[1] then return redis.error_reply('FENCED') end
redis.call('HSET', KEYS[1], 'st', ARGV[2])
return 1
