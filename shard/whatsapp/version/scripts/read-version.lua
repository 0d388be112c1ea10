-- KEYS {whatsapp}:version; ARGV revision that was refused (0: none), ms between two look-ups, ms after one that failed (-1: no look-up is claimed)
-- returns {1 when the caller is to look up, found, when it was found, refused, when a look-up was asked for last, when the last one was answered}
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
-- A clock that went back must not hold look-ups up for longer than they may be apart.
if between >= 0 and (now >= asked + between or asked > now) and (told == 0 or found <= told) then
  claimed = 1
  asked = now
  redis.call('HSET', KEYS[1], 'asked', string.format('%.0f', now))
end
return {claimed, found, foundAt, refused, asked, field('answered')}
