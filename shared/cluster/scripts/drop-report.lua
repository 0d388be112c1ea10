-- KEYS {processes}:seen, {processes}:reports; ARGV process
-- returns 1
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
return 1
