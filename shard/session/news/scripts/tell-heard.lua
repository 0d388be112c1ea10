-- KEYS {news}:heard, {news}:stream
-- ARGV entries kept, news JSON ...
-- News that are of use only to those who look on: while nobody listens, they are not told.
-- returns 1 when they were told, 0 when nobody listens
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
for i = 2, #ARGV do redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[1], '*', 'n', ARGV[i]) end
return 1
