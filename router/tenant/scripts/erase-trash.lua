-- Erases a session of a deleted tenant from the trash: its record, which holds its login and the key that opens all else of it.
-- KEYS slot-trash:{slot}, the record in the trash; ARGV id, tenant
-- returns 1, or 0 when the session in the trash is another tenant's, or has left it
if redis.call('HGET', KEYS[2], 'tenant') ~= ARGV[2] then return 0 end
redis.call('DEL', KEYS[2])
redis.call('ZREM', KEYS[1], ARGV[1])
return 1
