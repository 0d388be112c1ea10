-- KEYS {schema}; ARGV schema
-- returns the schema that may be written from now on: it only grows
local written = tonumber(redis.call('HGET', KEYS[1], 'written') or '1')
local wanted = tonumber(ARGV[1])
if wanted <= written then return written end
redis.call('HSET', KEYS[1], 'written', ARGV[1])
return wanted
