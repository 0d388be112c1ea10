-- The owner has waited until the platform has dropped what a silent former owner may have left open.
-- KEYS owner:{slot} of each slot; ARGV the token of each
-- returns the number of slots that are still the caller's
local count = 0
for i, key in ipairs(KEYS) do
  if redis.call('HGET', key, 'tok') == ARGV[i] then
    redis.call('HSET', key, 'silent', '')
    count = count + 1
  end
end
return count
