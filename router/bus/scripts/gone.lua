-- Which of these entries stand in the stream no more; their bytes stay where they are.
-- KEYS commands:{member}; ARGV ids of entries
-- returns the places of the missing in ARGV, from 1
local gone = {}
for i, id in ipairs(ARGV) do
  if #redis.call('XRANGE', KEYS[1], id, id) == 0 then gone[#gone + 1] = i end
end
return gone
