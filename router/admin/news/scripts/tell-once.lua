-- KEYS {news}:stream, {news}:told:member:incarnation:state
-- ARGV news JSON, entries kept, lifetime of the mark ms
-- Every router sees that a member's state has changed: the first one tells.
-- returns 1 when it was told here, 0 when it had been
if not redis.call('SET', KEYS[2], '1', 'NX', 'PX', ARGV[3]) then return 0 end
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], '*', 'n', ARGV[1])
return 1
