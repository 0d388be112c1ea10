-- Stores and stamps a state: readers take it for active only while its stamp is the owner's token. KEYS owner:{slot}, session:{slot}:id,
-- qr:{slot}:id
-- ARGV token, sealed state, its MAC, sealed QR PNG ('' removes it, '=' keeps it), QR lifetime ms, sealed platform id of the account (''
-- keeps the last one), sealed summary
-- returns 'OK', 'GONE' when the session was deleted, or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
if redis.call('EXISTS', KEYS[2]) == 0 then return 'GONE' end
redis.call('HSET', KEYS[2], 'state', ARGV[2], 'stateMac', ARGV[3], 'tok', ARGV[1], 'summary', ARGV[7])
redis.call('HDEL', KEYS[2], 'unreadable')
if ARGV[6] ~= '' then redis.call('HSET', KEYS[2], 'account', ARGV[6]) end
if ARGV[4] == '' then redis.call('DEL', KEYS[3])
elseif ARGV[4] ~= '=' then redis.call('SET', KEYS[3], ARGV[4], 'PX', ARGV[5]) end
return 'OK'
