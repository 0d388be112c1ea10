-- KEYS owner:{slot} of each slot
-- returns for each {member, incarnation, token, state, host}, nil where a field was never written
local rows = {}
for i, key in ipairs(KEYS) do rows[i] = redis.call('HMGET', key, 'm', 'inc', 'tok', 'st', 'addr') end
return rows
