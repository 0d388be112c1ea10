-- Claims the current pass, if there is one and it is free. When the old key's grace period ends, everything is counted once more, to find
-- late texts such as those from the trash.
-- KEYS {keyring}:rotation; ARGV runner, lease ms, ids of the runner's keys ...
-- returns {phase, run, slot to go on with, id of the key that seals}, or {}
local r = {}
local flat = redis.call('HGETALL', KEYS[1])
for i = 1, #flat, 2 do r[flat[i]] = flat[i + 1] end
local able = false
for i = 3, #ARGV do able = able or ARGV[i] == r.sealing end
if not able then return {} end
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local ms = function(at) return string.format('%.0f', at) end
if not r.phase or r.phase == '' then
  local due = false
  for field, value in pairs(r) do
    local over = string.sub(field, 1, 6) == 'until:' and tonumber(value) <= now
    due = due or (over and tonumber(r.counted or '0') < tonumber(value))
  end
  if not due then return {} end
  redis.call('HSET', KEYS[1], 'phase', 'counting', 'passStarted', ms(now), 'slot', '0', 'passes', '0')
  r.phase, r.slot, r.owner = 'counting', '0', nil
  r.run = redis.call('HINCRBY', KEYS[1], 'run', 1)
end
if r.owner and r.owner ~= ARGV[1] and tonumber(r.ownerUntil or '0') > now then return {} end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'ownerUntil', ms(now + tonumber(ARGV[2])))
return {r.phase, tonumber(r.run), tonumber(r.slot), r.sealing}
