-- Replaces one text with its resealed form, unless it was rewritten meanwhile. The owner is not involved: the content stays the same.
-- KEYS session:{slot}:id, trash:session:{slot}:id or tenant-proxies:{directory}; ARGV field, sealed text before, sealed text after
-- returns 1, or 0 when the field holds something else
local stored = redis.call('HGET', KEYS[1], ARGV[1])
if stored == ARGV[3] then return 1 end
if stored ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
