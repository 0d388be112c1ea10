-- Finds the entries that are no longer in the stream, without sending their bytes.
-- KEYS commands:{member}; ARGV ids of entries
-- returns the positions of the missing ids in ARGV, from 1
local gone = {}
for i, id in ipairs(ARGV) do
  if #redis.call('XRANGE', KEYS[1], id, id) == 0 then gone[#gone + 1] = i end
end
return gone
