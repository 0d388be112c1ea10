-- KEYS creation:{caller}:id
-- returns 1, or 0 if the key has expired
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'st', 'done')
return 1
