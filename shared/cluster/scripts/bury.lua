-- KEYS member:{name}; ARGV incarnation, sequence unchanged for 20 s on the caller's clock (or '*' from its supervisor), why
-- returns 1, or 0 when the member is another incarnation or has beaten since
if redis.call('HGET', KEYS[1], 'inc') ~= ARGV[1] then return 0 end
if ARGV[2] ~= '*' and redis.call('HGET', KEYS[1], 'seq') ~= ARGV[2] then return 0 end
if redis.call('HGET', KEYS[1], 'st') == 'gone' then return 0 end
redis.call('HSET', KEYS[1], 'st', 'dead', 'why', ARGV[3])
return 1
