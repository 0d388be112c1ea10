-- KEYS drained; ARGV member, then every member that is active now
-- returns 'DRAINED', or 'LAST' when no active member would be left that is not drained; then nothing is written
for i = 2, #ARGV do
  if ARGV[i] ~= ARGV[1] and redis.call('SISMEMBER', KEYS[1], ARGV[i]) == 0 then
    redis.call('SADD', KEYS[1], ARGV[1])
    return 'DRAINED'
  end
end
return 'LAST'
