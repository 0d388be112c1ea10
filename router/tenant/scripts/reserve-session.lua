-- Reserves a place for a new session. The quota is read in the same script, so that it holds over all routers.
-- KEYS tenants, sessions of the tenant; ARGV tenant, session, when its tenant was created ('' for any)
-- returns 'DONE' (also for a repeat of the same call), 'NOTENANT' or 'FULL'
local stored = redis.call('HGET', KEYS[1], ARGV[1])
if not stored then return 'NOTENANT' end
local record = cjson.decode(stored)
if ARGV[3] ~= '' and record.created ~= ARGV[3] then return 'NOTENANT' end
if redis.call('SISMEMBER', KEYS[2], ARGV[2]) == 1 then return 'DONE' end
local most = record.quotas.sessions
if type(most) == 'number' and redis.call('SCARD', KEYS[2]) >= most then return 'FULL' end
redis.call('SADD', KEYS[2], ARGV[2])
return 'DONE'
