-- Idempotent for one attempt; refuses the new when full; never makes a stream that nobody reads.
-- KEYS commands:{member}, enqueued:{member}:id:attempt, the same of the call that must stand before it (optional); ARGV envelope, cap, dedupe lifetime ms
-- returns the entry id, of the first time where this attempt came before; 'NOMEMBER', 'BEHIND' or 'BUSY'
local before = redis.call('GET', KEYS[2])
if before then return before end
if redis.call('EXISTS', KEYS[1]) == 0 then return 'NOMEMBER' end
if KEYS[3] and redis.call('EXISTS', KEYS[3]) == 0 then return 'BEHIND' end
if redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[2]) then return 'BUSY' end
local id = redis.call('XADD', KEYS[1], '*', 'e', ARGV[1])
-- The mark spares a second run, which the command's record makes harmless: replicas have it, the append-only file need not.
redis.set_repl(redis.REPL_REPLICA)
redis.call('SET', KEYS[2], id, 'PX', ARGV[3])
redis.set_repl(redis.REPL_ALL)
return id
