-- KEYS {whatsapp}:version; ARGV refused revision (0: none), ms between two lookups, ms after a failed one (-1: claim no lookup)
-- returns {1 if the caller must run a lookup, found, time it was found, refused, time the last lookup started, time that it ended}
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local function field(name) return tonumber(redis.call('HGET', KEYS[1], name) or '0') end
local told = tonumber(ARGV[1])
local refused = field('refused')
if told > refused then
  refused = told
  redis.call('HSET', KEYS[1], 'refused', ARGV[1])
end
local found, foundAt, asked = field('found'), field('foundAt'), field('asked')
local between = tonumber(foundAt == asked and ARGV[2] or ARGV[3])
local claimed = 0
-- If the clock went back, a lookup must not wait longer than the normal interval.
if between >= 0 and (now >= asked + between or asked > now) and (told == 0 or found <= told) then
  claimed = 1
  asked = now
  redis.call('HSET', KEYS[1], 'asked', string.format('%.0f', now))
end
return {claimed, found, foundAt, refused, asked, field('answered')}
