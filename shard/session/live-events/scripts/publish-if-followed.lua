-- KEYS listener marker, stream of live events
-- ARGV entries kept, event JSON ... Appends entries that are useful only to listeners, so it appends none without a listener.
-- returns 1 when they were appended, 0 while no operator listens
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
for i = 2, #ARGV do redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[1], '*', 'n', ARGV[i]) end
return 1
