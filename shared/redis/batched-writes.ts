import type { Redis } from "ioredis";

/**
 * Commands that are given in one turn of the event loop leave in one write to the socket, and nothing waits for the answers of those before. In place of ioredis's
 * `enableAutoPipelining`: each of its pipelines defines an accessor of its own, whose hidden class keeps the pipeline, and with it the request that waits for it, until
 * the next full garbage collection; 1 MB of 16 outlived every small one (bench/findings.md).
 */
export function batchWrites(redis: Redis): void {
  const send = redis.sendCommand.bind(redis);
  let corked: Redis["stream"] | undefined;
  redis.sendCommand = (command, stream) => {
    const socket = redis.stream;
    // None before the first connect.
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
