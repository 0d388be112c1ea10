-- A place for a session that is about to be. The quota is read where the place is taken, so that it holds over all routers.
-- KEYS tenants, sessions of the tenant; ARGV tenant, session, when its tenant was created ('' for any)
-- returns 'DONE' (a repeat of the same call too), 'NOTENANT', or 'FULL'
local stored = redis.call('HGET', KEYS[1], ARGV[1])
if not stored then return 'NOTENANT' end
local record = cjson.decode(stored)
if ARGV[3] ~= '' and record.created ~= ARGV[3] then return 'NOTENANT' end
if redis.call('SISMEMBER', KEYS[2], ARGV[2]) == 1 then return 'DONE' end
local most = record.quotas.sessions
if type(most) == 'number' and redis.call('SCARD', KEYS[2]) >= most then return 'FULL' end
redis.call('SADD', KEYS[2], ARGV[2])
return 'DONE'
