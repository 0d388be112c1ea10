-- KEYS owner:{slot} of each slot; ARGV token of each slot
-- returns the positions, from 1, of slots that have another token or none
local stale = {}
for i, key in ipairs(KEYS) do
  if redis.call('HGET', key, 'tok') ~= ARGV[i] then stale[#stale + 1] = i end
end
return stale
