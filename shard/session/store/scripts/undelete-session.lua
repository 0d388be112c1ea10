-- Takes a session that a timer deleted out of the trash, with all keys of its own.
-- KEYS owner:{slot}, session:{slot}:id, slot-sessions:{slot}, slot-trash:{slot}, then pairs of a key and its place in the trash, the
-- session's own first
-- ARGV token, id, sealed state to begin with ('' when the trash holds none, '=' keeps the stored one), its MAC, its sealed summary, id of
-- the command, then the lifetime ms of each pair's key ('' for ever)
-- returns 'UNDELETED' (a repeat of the same command too), 'LIVES', 'NONE', or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
if redis.call('EXISTS', KEYS[2]) == 1 then
  if redis.call('HGET', KEYS[2], 'undeleted') == ARGV[6] then return 'UNDELETED' else return 'LIVES' end
end
if ARGV[3] == '' or redis.call('EXISTS', KEYS[6]) == 0 then return 'NONE' end
for i = 5, #KEYS, 2 do
  if redis.call('EXISTS', KEYS[i + 1]) == 1 then
    redis.call('RENAME', KEYS[i + 1], KEYS[i])
    local lifetime = ARGV[7 + (i - 5) / 2]
    if lifetime == '' then redis.call('PERSIST', KEYS[i]) else redis.call('PEXPIRE', KEYS[i], lifetime) end
  end
end
if ARGV[3] ~= '=' then redis.call('HSET', KEYS[2], 'state', ARGV[3], 'stateMac', ARGV[4], 'summary', ARGV[5]) end
redis.call('HSET', KEYS[2], 'tok', ARGV[1], 'undeleted', ARGV[6])
redis.call('SADD', KEYS[3], ARGV[2])
redis.call('ZREM', KEYS[4], ARGV[2])
return 'UNDELETED'
