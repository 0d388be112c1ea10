-- KEYS owner:{slot} of each slot; ARGV for each slot: token, new state (held, draining, free)
-- returns for each slot 1, or 0 where the token is no longer the slot's
local answers = {}
for i, key in ipairs(KEYS) do
  answers[i] = 0
  if redis.call('HGET', key, 'tok') == ARGV[2 * i - 1] then
    redis.call('HSET', key, 'st', ARGV[2 * i])
    answers[i] = 1
  end
end
return answers
