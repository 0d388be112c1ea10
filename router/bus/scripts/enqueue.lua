-- Idempotent for one attempt. Returns BUSY when the stream is full, and never creates a stream.
-- KEYS commands:{member}, enqueued:{member}:id:attempt, the same key of the call that must stand before it (optional); ARGV envelope, cap,
-- dedupe lifetime ms
-- returns the entry id (of the first run if this attempt is already enqueued), 'NOMEMBER', 'BEHIND' or 'BUSY'
local before = redis.call('GET', KEYS[2])
if before then return before end
if redis.call('EXISTS', KEYS[1]) == 0 then return 'NOMEMBER' end
if KEYS[3] and redis.call('EXISTS', KEYS[3]) == 0 then return 'BEHIND' end
if redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[2]) then return 'BUSY' end
local id = redis.call('XADD', KEYS[1], '*', 'e', ARGV[1])
-- The mark only spares a second run, which the command's record makes harmless. So it goes to replicas but not to the append-only file.
redis.set_repl(redis.REPL_REPLICA)
redis.call('SET', KEYS[2], id, 'PX', ARGV[3])
redis.set_repl(redis.REPL_ALL)
return id
