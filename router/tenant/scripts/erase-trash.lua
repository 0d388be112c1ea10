-- Deletes a trashed session of a deleted tenant: its record holds its login and the key to all its sealed data.
-- KEYS slot-trash:{slot}, the record in the trash; ARGV id, tenant
-- returns 1, or 0 if the session belongs to another tenant or has left the trash
if redis.call('HGET', KEYS[2], 'tenant') ~= ARGV[2] then return 0 end
redis.call('DEL', KEYS[2])
redis.call('ZREM', KEYS[1], ARGV[1])
return 1
