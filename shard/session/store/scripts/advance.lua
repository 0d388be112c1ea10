-- One step of a session's updates: cursor, chats, secrets and events are written together or not at all. Drops events that were seen;
-- from the outbox also those that come while the webhook is off, or that are older than turning it on.
-- KEYS owner:{slot}, session:{slot}:id, webhook:{slot}:id, message-chats:{slot}:id, older-chats:{slot}:id, seen-events:{slot}:id,
-- outbox:{slot}:id, dead-letters:{slot}:id, secrets:{slot}:id, history:{slot}:id
-- ARGV token, sealed cursor ('' keeps it), most chats, their ms, most seen ids, their ms, most events, most bytes, most letters, their ms,
-- messages, secrets, most history entries, their ms
-- ARGV 15 on (hashed id, chat) ..., (hashed field, value or '') ..., (hashed id, id, type, created, in ms, body or '', history entry
-- or '') ...
-- returns {'OK', appended, moved to the dead letters for lack of room}, {'GONE', 0, 0} when the session was deleted, or error FENCED
local o = redis.call('HMGET', KEYS[1], 'tok', 'st')
if o[1] ~= ARGV[1] or o[2] == 'free' then return redis.error_reply('FENCED') end
if redis.call('EXISTS', KEYS[2]) == 0 then return {'GONE', 0, 0} end
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
if ARGV[2] ~= '' then redis.call('HSET', KEYS[3], 'cursor', ARGV[2]) end

-- Renewed once an hour: renewing at each step would be a quarter of its writes. -2: the key does not exist.
local function live(key, lifetime)
  local left = redis.call('PTTL', key)
  if left ~= -2 and left < lifetime then redis.call('PEXPIRE', key, lifetime + 3600000) end
end

local messages = tonumber(ARGV[11])
local at = 15
local after = at + 2 * messages
-- As few commands as possible, because each one is also written to the log and to the replicas. Lua passes a few thousand values at most.
while at < after do
  local last = math.min(after, at + 1000) - 1
  redis.call('HSET', KEYS[4], unpack(ARGV, at, last))
  at = last + 1
end
if messages > 0 then
  local most, lifetime = tonumber(ARGV[3]), tonumber(ARGV[4])
  live(KEYS[4], lifetime)
  live(KEYS[5], lifetime)
  if redis.call('HLEN', KEYS[4]) >= most then redis.call('RENAME', KEYS[4], KEYS[5]) end
end
for _ = 1, tonumber(ARGV[12]) do
  if ARGV[at + 1] == '' then redis.call('HDEL', KEYS[9], ARGV[at]) else redis.call('HSET', KEYS[9], ARGV[at], ARGV[at + 1]) end
  at = at + 2
end
if at > #ARGV then return {'OK', 0, 0} end

local w = redis.call('HMGET', KEYS[3], 'on', 'epoch', 'onAt')
-- Platforms give whole seconds: an event in the second of turning on may have come after it.
local from = tonumber(w[3] or '0') - 999
local appended, bytes, kept = 0, 0, 0
for i = at, #ARGV, 7 do
  -- Ids are remembered while off too: an event that repeats after turning on is older than that.
  if redis.call('ZADD', KEYS[6], now, ARGV[i]) == 1 then
    if ARGV[i + 6] ~= '' then
      redis.call('XADD', KEYS[10], 'MAXLEN', ARGV[13], '*', 'b', ARGV[i + 6])
      kept = kept + 1
    end
    if ARGV[i + 5] ~= '' and w[1] == '1' and tonumber(ARGV[i + 4]) >= from then
      redis.call('XADD', KEYS[7], '*', 'i', ARGV[i + 1], 't', ARGV[i + 2], 'c', ARGV[i + 3], 'e', w[2], 'b', ARGV[i + 5])
      appended = appended + 1
      bytes = bytes + #ARGV[i + 5]
    end
  end
end
redis.call('ZREMRANGEBYRANK', KEYS[6], 0, -tonumber(ARGV[5]) - 1)
live(KEYS[6], tonumber(ARGV[6]))
if kept > 0 then live(KEYS[10], tonumber(ARGV[14])) end
if appended == 0 then return {'OK', 0, 0} end

local held = redis.call('HINCRBY', KEYS[3], 'bytes', bytes)
local full = 0
while redis.call('XLEN', KEYS[7]) > tonumber(ARGV[7]) or held > tonumber(ARGV[8]) do
  local oldest = redis.call('XRANGE', KEYS[7], '-', '+', 'COUNT', 1)[1]
  if not oldest then break end
  local f = oldest[2]
  local h = redis.call('HMGET', KEYS[3], 'head', 'tries')
  redis.call('XADD', KEYS[8], 'MAXLEN', ARGV[9], '*', 'i', f[2], 't', f[4], 'c', f[6], 'e', f[8], 'b', f[10], 'n', h[1] == oldest[1] and h[2] or '0', 'r', 'full')
  redis.call('XDEL', KEYS[7], oldest[1])
  held = redis.call('HINCRBY', KEYS[3], 'bytes', -#f[10])
  full = full + 1
end
if full > 0 then redis.call('PEXPIRE', KEYS[8], ARGV[10]) end
return {'OK', appended, full}
