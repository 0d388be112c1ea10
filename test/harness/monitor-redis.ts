import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";

/**
 * Calls `onCommand` for each command that a Redis runs; `source` is `lua` for commands of a script. Uses a socket of its own: the client
 * library mistakes a command that arrives together with the reply to MONITOR for another reply.
 */
export async function monitorRedis(socketPath: string, onCommand: (args: readonly string[], source: string) => void): Promise<() => void> {
  const socket = connect(socketPath);
  socket.on("error", () => undefined);
  const lines = createInterface({ input: socket });
  const monitoring = once(lines, "line");
  lines.on("line", (line) => {
    const [, source, args] = /^\+[\d.]+ \[\d+ ([^\]]+)\] "(.*)"$/.exec(line) ?? [];
    if (source !== undefined && args !== undefined) onCommand(args.split('" "'), source);
  });
  socket.write("MONITOR\r\n");
  await monitoring;
  return () => socket.destroy();
}
