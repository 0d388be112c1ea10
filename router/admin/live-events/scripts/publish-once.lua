-- KEYS event stream, mark of this state of the member
-- ARGV event JSON, entries kept, lifetime of the mark ms
-- Every router sees a change of a member's state, and the first one publishes it.
-- returns 1 if this call published it, 0 if another router already had
if not redis.call('SET', KEYS[2], '1', 'NX', 'PX', ARGV[3]) then return 0 end
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], '*', 'n', ARGV[1])
return 1
