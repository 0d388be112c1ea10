-- KEYS message count of a tenant's day; ARGV most, lifetime ms, messages of the request
-- returns 1, or 0 if the request would pass the day's limit
if tonumber(redis.call('GET', KEYS[1]) or '0') + tonumber(ARGV[3]) > tonumber(ARGV[1]) then return 0 end
for _ = 1, tonumber(ARGV[3]) do redis.call('INCR', KEYS[1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
