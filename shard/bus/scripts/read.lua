-- KEYS result:{slot}:id
-- returns {state, outcome, envelope's id, MAC, again} of a command's record in either form (begin.lua), each absent where there is none
if redis.call('TYPE', KEYS[1]).ok == 'string' then
  local text = redis.call('GET', KEYS[1])
  if string.sub(text, 1, 1) == '+' then return {'done', text, false, false, false} end
  return {'started', false, false, false, false}
end
return redis.call('HMGET', KEYS[1], 'st', 'out', 'req', 'mac', 'again')
