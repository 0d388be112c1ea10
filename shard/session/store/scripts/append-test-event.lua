-- Appends an event to test the receiver with. A repeat appends nothing.
-- KEYS owner:{slot}, session:{slot}:id, webhook:{slot}:id, seen-events:{slot}:id, outbox:{slot}:id
-- ARGV token, most events, most bytes, hashed event id, lifetime of seen ids ms, event id, created, sealed body, id of the operator's
-- request
-- returns {'OK', events that wait}, {'OFF', 0} while the webhook is off, {'FULL', 0} where no room is left, or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
local w = redis.call('HMGET', KEYS[3], 'on', 'epoch', 'bytes')
if redis.call('EXISTS', KEYS[2]) == 0 or w[1] ~= '1' then return {'OFF', 0} end
if redis.call('ZSCORE', KEYS[4], ARGV[4]) then return {'OK', redis.call('XLEN', KEYS[5])} end
if redis.call('XLEN', KEYS[5]) >= tonumber(ARGV[2]) or tonumber(w[3] or '0') + #ARGV[8] > tonumber(ARGV[3]) then return {'FULL', 0} end
local t = redis.call('TIME')
redis.call('ZADD', KEYS[4], t[1] * 1000 + math.floor(t[2] / 1000), ARGV[4])
redis.call('PEXPIRE', KEYS[4], ARGV[5])
redis.call('XADD', KEYS[5], '*', 'i', ARGV[6], 't', 'test', 'c', ARGV[7], 'e', w[2], 'b', ARGV[8], 'q', ARGV[9])
redis.call('HINCRBY', KEYS[3], 'bytes', #ARGV[8])
return {'OK', redis.call('XLEN', KEYS[5])}
