import type { Redis } from "ioredis";

/**
 * Sends all commands of one turn of the event loop in one write. Unlike `enableAutoPipelining` of ioredis, it keeps no memory until a full
 * garbage collection (bench/findings.md).
 */
export function batchWrites(redis: Redis): void {
  const send = redis.sendCommand.bind(redis);
  let corked: Redis["stream"] | undefined;
  redis.sendCommand = (command, stream) => {
    const socket = redis.stream;
    // There is no socket before the first connect.
    if (socket !== undefined && socket !== corked) {
      corked = socket;
      socket.cork();
      setImmediate(() => {
        if (corked === socket) corked = undefined;
        socket.uncork();
      });
    }
    return send(command, stream);
  };
}
