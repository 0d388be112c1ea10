-- KEYS {schema}; ARGV schema
-- returns the schema that may be written from now on: it only grows
local number = tonumber(redis.call('HGET', KEYS[1], 'number') or '0')
local wanted = tonumber(ARGV[1])
if wanted <= number then return number end
redis.call('HSET', KEYS[1], 'number', ARGV[1])
return wanted
