-- KEYS o:{slot}, s:{slot}:id, q:{slot}:id
-- ARGV token, state JSON, QR PNG base64 ('' removes it, '=' keeps it), QR lifetime ms, platform id of the account ('' keeps the last one), summary JSON
-- Stamps the state with the token: readers take a state for active only while its stamp is the owner's token.
-- returns 'OK', 'GONE' when the session was deleted, or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
if redis.call('EXISTS', KEYS[2]) == 0 then return 'GONE' end
redis.call('HSET', KEYS[2], 'state', ARGV[2], 'tok', ARGV[1], 'summary', ARGV[6])
if ARGV[5] ~= '' then redis.call('HSET', KEYS[2], 'account', ARGV[5]) end
if ARGV[3] == '' then redis.call('DEL', KEYS[3])
elseif ARGV[3] ~= '=' then redis.call('SET', KEYS[3], ARGV[3], 'PX', ARGV[4]) end
return 'OK'
