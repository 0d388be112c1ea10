-- KEYS message count of a tenant's day; ARGV most, lifetime ms
-- returns 1, or 0 if the day's limit is reached
if tonumber(redis.call('GET', KEYS[1]) or '0') >= tonumber(ARGV[1]) then return 0 end
redis.call('INCR', KEYS[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
