-- KEYS {processes}:seen, {processes}:reports; ARGV lifetime ms
-- returns for each process that is not older {report JSON, its age in ms}
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local rows = {}
local seen = redis.call('ZRANGEBYSCORE', KEYS[1], now - tonumber(ARGV[1]), '+inf', 'WITHSCORES')
for i = 1, #seen, 2 do
  local report = redis.call('HGET', KEYS[2], seen[i])
  if report then rows[#rows + 1] = {report, now - tonumber(seen[i + 1])} end
end
return rows
