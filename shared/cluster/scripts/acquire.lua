-- KEYS owner:{slot} ...; ARGV member, incarnation, host, then per slot: dead member, its incarnation ('' if none), '1' if silent
-- Takes a slot that is new, free, ours (same token), or owned by that dead incarnation. `silent` stays until settled.lua clears it.
-- returns for each slot {1, token, previous host, 'new'|'same'|'released'|'dead', '1' while silent} or {0}
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local answers = {}
for i, key in ipairs(KEYS) do
  local deadMember, deadIncarnation, silent = ARGV[3 * i + 1], ARGV[3 * i + 2], ARGV[3 * i + 3]
  local o = redis.call('HMGET', key, 'm', 'inc', 'tok', 'st', 'addr', 'silent')
  local how
  if o[1] == ARGV[1] and o[2] == ARGV[2] and o[4] ~= 'free' then how = 'same'
  elseif not o[1] then how = 'new'
  elseif o[4] == 'free' then how = 'released'
  elseif deadMember ~= '' and o[1] == deadMember and o[2] == deadIncarnation then how = 'dead' end
  if not how then
    answers[i] = {0}
  elseif how == 'same' then
    answers[i] = {1, o[3], o[5] or '', how, o[6] or ''}
  else
    -- Redis time only keeps the token above ones that a failover rolled back; it never judges expiry.
    local tok = (tonumber(o[3] or '0') or 0) + 1
    if now > tok then tok = now end
    local text = string.format('%.0f', tok)
    local silence = o[6] or ''
    if how == 'dead' and silent == '1' then silence = '1' end
    redis.call('HSET', key, 'm', ARGV[1], 'inc', ARGV[2], 'tok', text, 'st', 'held', 'addr', ARGV[3], 'silent', silence)
    answers[i] = {1, text, o[5] or '', how, silence}
  end
end
return answers
