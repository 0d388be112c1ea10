-- Puts hashed names and sealed chats in the place of those that stand in the clear, in their order; done twice it changes nothing more.
-- KEYS o:{slot}, uc:{slot}:id, ul:{slot}:id, ue:{slot}:id
-- ARGV token, number of messages, (message id, hashed, sealed chat or '') ... oldest first, (event id, hashed, score) ...
-- returns 1, or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
local at = 3
-- What is written goes first: a key that was empty in between would lose its lifetime.
for _ = 1, tonumber(ARGV[2]) do
  if redis.call('LINDEX', KEYS[3], 0) == ARGV[at] then
    redis.call('RPUSH', KEYS[3], ARGV[at + 1])
    redis.call('LPOP', KEYS[3])
    if ARGV[at + 2] ~= '' then redis.call('HSET', KEYS[2], ARGV[at + 1], ARGV[at + 2]) end
    redis.call('HDEL', KEYS[2], ARGV[at])
  end
  at = at + 3
end
for i = at, #ARGV, 3 do
  redis.call('ZADD', KEYS[4], ARGV[i + 2], ARGV[i + 1])
  redis.call('ZREM', KEYS[4], ARGV[i])
end
return 1
