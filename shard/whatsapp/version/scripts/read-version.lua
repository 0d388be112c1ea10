-- KEYS {whatsapp}:version; ARGV refused revision (0: none), ms between two lookups, ms after a failed one (-1: claim no lookup)
-- returns {1 if the caller must run a lookup, found, time it was found, refused, time the last lookup started, time that it ended}
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local function field(name) return tonumber(redis.call('HGET', KEYS[1], name) or '0') end
local refusedNow = tonumber(ARGV[1])
local refused = field('refused')
if refusedNow > refused then
  refused = refusedNow
  redis.call('HSET', KEYS[1], 'refused', ARGV[1])
end
local found, foundAt, startedAt = field('found'), field('foundAt'), field('asked')
local between = tonumber(foundAt == startedAt and ARGV[2] or ARGV[3])
local claimed = 0
-- If the clock went back, a lookup must not wait longer than the normal interval.
if between >= 0 and (now >= startedAt + between or startedAt > now) and (refusedNow == 0 or found <= refusedNow) then
  claimed = 1
  startedAt = now
  redis.call('HSET', KEYS[1], 'asked', string.format('%.0f', now))
end
return {claimed, found, foundAt, refused, startedAt, field('answered')}
