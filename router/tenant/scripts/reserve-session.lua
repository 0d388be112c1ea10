-- A place for a session that is about to be. The quota is read where the place is taken, so that it holds over all routers.
-- KEYS tenants, sessions of the tenant; ARGV tenant, session
-- returns 'DONE' (a repeat of the same call too), 'NOTENANT', or 'FULL'
local stored = redis.call('HGET', KEYS[1], ARGV[1])
if not stored then return 'NOTENANT' end
if redis.call('SISMEMBER', KEYS[2], ARGV[2]) == 1 then return 'DONE' end
local most = cjson.decode(stored).quotas.sessions
if type(most) == 'number' and redis.call('SCARD', KEYS[2]) >= most then return 'FULL' end
redis.call('SADD', KEYS[2], ARGV[2])
return 'DONE'
