-- Shares a tenant's places between processes. A place is only given out after its holder has returned it, so the total never exceeds the
-- quota. Too few are shared evenly, and the remainder rotates each second.
-- KEYS places of a tenant; ARGV member, places it keeps, places it wants in all, places that exist, lifetime ms of this report
-- returns how many it has, how many are its fair share, and 1 when all together want nearly all that there are
local me, kept, want, all, lifetime = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local rows, taken, total = { { me, want } }, 0, want
local stored = redis.call('HGETALL', KEYS[1])
for i = 1, #stored, 2 do
  local held, wanted, till = string.match(stored[i + 1], '^(%d+) (%d+) (%d+)$')
  if tonumber(till) <= now then
    redis.call('HDEL', KEYS[1], stored[i])
  elseif stored[i] ~= me then
    taken = taken + tonumber(held)
    total = total + tonumber(wanted)
    rows[#rows + 1] = { stored[i], tonumber(wanted) }
  end
end
table.sort(rows, function(a, b)
  if a[2] ~= b[2] then return a[2] < b[2] end
  return a[1] < b[1]
end)
local share, left = want, all
for i = 1, #rows do
  local sharers = #rows - i + 1
  local even = math.floor(left / sharers)
  if rows[i][2] > even then
    for rank = 0, sharers - 1 do
      if rows[i + rank][1] == me then share = even + ((rank + time[1]) % sharers < left % sharers and 1 or 0) end
    end
    break
  end
  left = left - rows[i][2]
end
local held = math.max(kept, math.min(share, math.max(0, all - taken)))
if held == 0 and want == 0 then
  redis.call('HDEL', KEYS[1], me)
else
  redis.call('HSET', KEYS[1], me, string.format('%d %d %d', held, want, now + lifetime))
  redis.call('PEXPIRE', KEYS[1], lifetime)
end
return { held, share, total > all * 0.9 and 1 or 0 }
