-- Ends a pass over all slots: stores its counts and begins the next pass, or ends the rotation.
-- KEYS {keyring}:rotation; ARGV runner, run, phase that is over, next phase (none: empty), after a count the texts not under the chosen
-- key
-- returns 1 (also when repeated), or 0 when another runner has the rotation
local r = redis.call('HMGET', KEYS[1], 'owner', 'run', 'phase', 'passStarted', 'total', 'done')
if r[1] ~= ARGV[1] or r[2] ~= ARGV[2] then return 0 end
if r[3] ~= ARGV[3] then return r[3] == ARGV[4] and 1 or 0 end
local t = redis.call('TIME')
local now = string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000))
if r[3] == 'counting' then
  local flat = redis.call('HGETALL', KEYS[1])
  for i = 1, #flat, 2 do if string.sub(flat[i], 1, 8) == 'records:' then redis.call('HDEL', KEYS[1], flat[i]) end end
  for i = 1, #flat, 2 do
    if string.sub(flat[i], 1, 6) == 'found:' then
      redis.call('HDEL', KEYS[1], flat[i])
      redis.call('HSET', KEYS[1], 'records:' .. string.sub(flat[i], 7), flat[i + 1])
    end
  end
  redis.call('HSET', KEYS[1], 'counted', r[4])
end
redis.call('HSET', KEYS[1], 'phase', ARGV[4], 'slot', '0', 'passStarted', now)
if r[3] == 'counting' then
  -- Progress derives from what is left: a killed runner never stored its last step.
  local left = tonumber(ARGV[5])
  local total = math.max(tonumber(r[5] or '0'), tonumber(r[6] or '0') + left)
  redis.call('HSET', KEYS[1], 'total', total, 'done', total - left)
end
if ARGV[4] == 'resealing' then
  redis.call('HSET', KEYS[1], 'failed', '0')
  redis.call('HINCRBY', KEYS[1], 'passes', 1)
end
if ARGV[4] == '' then
  redis.call('HSETNX', KEYS[1], 'ended', now)
  redis.call('HDEL', KEYS[1], 'owner', 'ownerUntil')
end
return 1
