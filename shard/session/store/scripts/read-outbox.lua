-- Reads what a new owner must know of a session's webhook. Waits count on the Redis clock.
-- KEYS session:{slot}:id, webhook:{slot}:id
-- returns {sealed settings ('' when off), epoch, entry that was tried last (''), its attempts, ms until its next one}
local w = redis.call('HMGET', KEYS[2], 'epoch', 'head', 'tries', 'retryAt')
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local wait = math.max(0, tonumber(w[4] or '0') - now)
return {redis.call('HGET', KEYS[1], 'wh') or '', tonumber(w[1] or '0'), w[2] or '', tonumber(w[3] or '0'), wait}
